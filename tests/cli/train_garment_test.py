#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A garment's network as a person uses it: learn it from draped poses, with and without physics, and dress a body by it."""
import json
import subprocess
import time
import unittest

import h5py
import numpy
from support import PROGRAM, ROOT, SmallSceneTest, frames_of, tulle

SCENE = ROOT / "scenes" / "shirt.toml"
JOINTS = ["waist", "left_shoulder", "right_elbow"]

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


def write_pose(file, index, rest):
    """The shirt nearly as it lies on the body at rest, on a body that bends a little."""
    random = numpy.random.default_rng(index)
    angles = random.uniform(-0.05, 0.05, (len(JOINTS), 3))
    positions = rest + 0.002 * numpy.sin(10 * rest + 20 * angles[0])
    with h5py.File(file, "w") as pose:
        pose["positions"] = positions.astype("f4")
        pose["angles"] = angles
        for key, text in (("format", "tulle-drape"), ("scene", SCENE.read_text()), ("joints", " ".join(JOINTS))):
            pose.attrs[key] = numpy.bytes_(text.encode())
        for key, number in (("version", 1), ("seed", index), ("attempts", 1)):
            pose.attrs[key] = numpy.uint64(number)
        pose.attrs["unrest"] = 0.0
        pose.attrs["longest_edge"] = 1.0


def tensors_of(weights):
    """What follows the header, which holds dates and times."""
    data = weights.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little"):]


class TrainGarmentTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        lines = (ROOT / "scenes" / "meshes" / "t-shirt.obj").read_text().splitlines()
        self.rest = numpy.array([[float(word) for word in line.split()[1:4]] for line in lines if line.startswith("v ")])
        (self.folder / "poses").mkdir()
        for i in range(20):
            write_pose(self.folder / "poses" / f"{i:04}.h5", i, self.rest)
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
        self.check_refused("quasistatic", self.recipe, "--set", "layer.kind='plastic'")
        self.check_refused("inextensible", self.recipe, "--set", "layer.kind='quasistatic'", "--set", "layer.epsilon=0.1")
        self.check_refused("garment-small.safetensors", self.layer)
        write_pose(self.folder / "poses" / "0020.h5", 20, self.rest[1:])
        self.check_refused("another garment", self.recipe)
        for pose in (self.folder / "poses").glob("00[01][1-9].h5"):
            pose.unlink()
        self.check_refused("at least 10", self.recipe)


if __name__ == "__main__":
    unittest.main(argv=["train_garment_test"])
