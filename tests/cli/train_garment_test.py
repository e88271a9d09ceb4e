#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A garment's network as a person uses it: learn it from draped poses, with and without physics, and dress a body by it."""
import json
import subprocess
import time
import unittest

import numpy
from draped_poses import SCENE, shirt_at_rest, write_pose, write_poses
from support import PROGRAM, SmallSceneTest, frames_of, tulle

RECIPE = f"""
method = "garment"
name = "small"
[[data]]
folder = "poses"
scene = "{SCENE}"
[image]
channels = [8, 6]
[training]
epochs = 3
batch = 4
"""

LAYER = RECIPE.replace('name = "small"', 'name = "coerced"\nstart = "garment-small.safetensors"') + """
[layer]
kind = "quasistatic"
mu = 0.1
learn_mu = "vertex"
"""


def tensors_of(weights):
    """What follows the header, which holds dates and times."""
    data = weights.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little"):]


class TrainGarmentTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.rest = shirt_at_rest()
        write_poses(self.folder / "poses", 20)
        self.recipe = self.folder / "recipe.toml"
        self.recipe.write_text(RECIPE)
        self.layer = self.folder / "layer.toml"
        self.layer.write_text(LAYER)

    def errors_of(self, weights):
        done = tulle("info", weights, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["test_error"]

    def test_a_garment_is_learnt_with_and_without_physics_and_worn(self):
        for recipe, name in ((self.recipe, "small"), (self.layer, "coerced")):
            done = tulle("train", recipe)
            self.assertEqual(done.returncode, 0, done.stderr)
            weights = self.folder / f"garment-{name}.safetensors"
            errors = self.errors_of(weights)
            self.assertLess(errors["network_sqrt_mse"], errors["skinning_at_rest_offsets_sqrt_mse"])
            cache = self.folder / f"{name}.h5"
            done = tulle("simulate", SCENE, "--method", "garment", "--frames", 2, "--weights", weights,
                         "-o", cache)
            self.assertEqual(done.returncode, 0, done.stderr)
            # On the body at rest, the shirt is about as it lies on it.
            self.assertLess(numpy.abs(frames_of(cache)[0][-1] - self.rest).mean(), 0.01)
        self.assertIn("projected_sqrt_mse", errors)

    def test_training_that_was_cut_short_ends_with_the_same_bits(self):
        self.assertEqual(tulle("train", self.recipe).returncode, 0)
        weights = self.folder / "garment-small.safetensors"
        whole = tensors_of(weights)
        log = weights.with_suffix(".garment.csv")
        with subprocess.Popen([PROGRAM, "train", self.recipe, "--checkpoint-every", "0"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as training:
            while training.poll() is None and (not log.exists() or len(log.read_text().splitlines()) < 3):
                time.sleep(0.01)
            training.kill()
        done = tulle("train", self.recipe, "--resume")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(tensors_of(weights), whole)

    def check_refused(self, part, *arguments):
        done = tulle("train", *arguments)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(part, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)

    def test_what_cannot_be_learnt_is_said_in_one_sentence(self):
        self.check_refused("only 16 are for training", self.recipe, "--set", "data.0.examples=17")
        self.check_refused("say how many with poses", self.recipe, "--set", "data.0.within=0.5")
        self.check_refused("another scene, seed or share", self.recipe, "--set", "data.0.poses=20")
        self.check_refused("quasistatic", self.recipe, "--set", "layer.kind='plastic'")
        self.check_refused("inextensible", self.recipe, "--set", "layer.kind='quasistatic'", "--set", "layer.epsilon=0.1")
        self.check_refused("garment-small.safetensors", self.layer)
        self.check_refused("has no mirror image", self.recipe, "--set", "mirror=true")
        write_pose(self.folder / "poses" / "0020.h5", 20, self.rest[1:])
        self.check_refused("another garment", self.recipe)
        for pose in (self.folder / "poses").glob("00[01][1-9].h5"):
            pose.unlink()
        self.check_refused("at least 10", self.recipe)


if __name__ == "__main__":
    unittest.main(argv=["train_garment_test"])
