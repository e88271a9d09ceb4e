#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle train` as a person uses it: from a recipe to weights that simulate, killed and resumed, with broken recipes."""
import json
import signal
import subprocess
import time
import unittest

from support import PROGRAM, SmallSceneTest, tulle

SWEEP = """
sequences = 4
frames = 10
[[vary]]
keys = ["cloth.mass"]
min = 0.001
max = 0.004
"""

RECIPE = """
method = "{method}"
name = "small"
factor = {factor}
[[data]]
folder = "data"
scene = "small.toml"
sweep = "small.sweep.toml"
[network]
hidden = [8, 8]
[training]
batch = 64
epochs = {epochs}
[calibration]
sequences = 1
evaluations = 5
"""


def tensors(weights):
    """All numbers of a weights file: what follows the header, whose length stands first."""
    data = weights.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little"):]


class TrainTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        (self.folder / "small.sweep.toml").write_text(SWEEP)

    def recipe(self, method="miniature", factor=2, epochs=3, name="recipe.toml"):
        path = self.folder / name
        path.write_text(RECIPE.format(method=method, factor=factor, epochs=epochs))
        return path

    def test_a_recipe_becomes_weights_that_simulate(self):
        for method, factor in (("miniature", 2), ("hierarchy", 4)):
            done = tulle("train", self.recipe(method, factor), "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            card = json.loads(done.stdout)
            self.assertEqual((card["method"], card["scene"], card["factor"]), (method, "small", factor))
            self.assertGreater(card["test_error"]["bicubic_mean"], 0)
            weights = self.folder / f"{method}-small-x{factor}-local.safetensors"
            self.assertEqual(json.loads(tulle("info", weights).stdout)["layers"], card["layers"])
            run = tulle("simulate", self.folder / "small.toml", "--method", method, "--weights", weights, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("inference", json.loads(run.stdout)["stages"])

    def test_weights_of_another_method_are_refused(self):
        self.assertEqual(tulle("train", self.recipe()).returncode, 0)
        run = tulle("simulate", self.folder / "small.toml", "--method", "hierarchy", "--weights",
                    self.folder / "miniature-small-x2-local.safetensors")
        self.assertEqual(run.returncode, 1)
        self.assertIn("was trained for the miniature method, not for hierarchy", run.stderr)

    def test_killed_training_resumes_to_the_same_weights(self):
        whole = self.recipe(epochs=400)
        self.assertEqual(tulle("train", whole, "--threads", "1").returncode, 0)
        weights = self.folder / "miniature-small-x2-local.safetensors"
        expected = tensors(weights)
        weights.unlink()
        for rest in self.folder.glob("*.train"):
            rest.unlink()
        process = subprocess.Popen([PROGRAM, "train", whole, "--threads", "1"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        time.sleep(0.8)
        process.send_signal(signal.SIGKILL)
        process.wait()
        self.assertFalse(weights.exists(), "it was killed too late to test anything")
        done = tulle("train", whole, "--resume", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertGreater(len(expected), 1000)
        self.assertEqual(tensors(weights), expected)  # only the card differs, which tells minutes

    def test_calibrating_again_keeps_the_networks(self):
        self.assertEqual(tulle("train", self.recipe()).returncode, 0)
        weights = self.folder / "miniature-small-x2-local.safetensors"
        before, card = tensors(weights), json.loads(tulle("info", weights).stdout)
        done = tulle("train", self.recipe(), "--calibrate", "--set", "calibration.evaluations=30", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = json.loads(tulle("info", weights).stdout)
        self.assertEqual(tensors(weights), before)
        self.assertGreater(after["test_error"]["coarse_calibrated"], 0)
        for key in ("data", "layers", "date", "command"):
            self.assertEqual(after[key], card[key])
        done = tulle("train", self.recipe(), "--calibrate", "--set", "name='other'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("miniature-other-x2-local.safetensors", done.stderr)

    def test_a_broken_recipe_ends_in_a_sentence(self):
        path = self.folder / "broken.toml"
        path.write_text(self.recipe().read_text().replace("batch", "bach"))
        done = tulle("train", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bach", done.stderr)
        self.assertIn("did you mean 'batch'", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["train_test"])
