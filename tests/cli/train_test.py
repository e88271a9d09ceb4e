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
hidden = [16, 16]
[training]
batch = 64
epochs = {epochs}
[calibration]
sequences = 1
evaluations = 5
"""


# Every step takes a hundred times each parameter off it.
RUNAWAY = ("--set", "training.optimiser='sgd'", "--set", "training.learning_rate=10", "--set", "training.weight_decay=10")


def tensors(weights):
    """All numbers of a weights file: what follows the header, whose length stands first."""
    data = weights.read_bytes()
    return data[8 + int.from_bytes(data[:8], "little"):]


def rows_of(log):
    """The whole lines of a training log, without its head; the last one may be under way."""
    return log.read_text().split("\n")[1:-1]


def written(file):
    """When a file was last replaced; None if it is not there."""
    return file.stat().st_mtime_ns if file.exists() else None


def wait_for(process, condition):
    while process.poll() is None and not condition():
        time.sleep(0.005)


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
            self.assertEqual((card["method"], card["scene"], card["family"]["factor"]), (method, "small", factor))
            self.assertGreater(card["test_error"]["bicubic_mean"], 0)
            weights = self.folder / f"{method}-small-x{factor}-canonical.safetensors"
            info = json.loads(tulle("info", weights, "--json").stdout)
            self.assertEqual(info["family"], card["family"])
            network = "patch" if method == "miniature" else "level.1"
            self.assertEqual(info["tensors"][f"{network}.layers.1.weight"], [16, 16])  # as the recipe says
            run = tulle("simulate", self.folder / "small.toml", "--method", method, "--weights", weights, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("inference", json.loads(run.stdout)["stages"])

    def test_weights_of_another_method_are_refused(self):
        self.assertEqual(tulle("train", self.recipe()).returncode, 0)
        run = tulle("simulate", self.folder / "small.toml", "--method", "hierarchy", "--weights",
                    self.folder / "miniature-small-x2-canonical.safetensors")
        self.assertEqual(run.returncode, 1)
        self.assertIn("was trained for the miniature method, not for hierarchy", run.stderr)

    def test_killed_training_goes_on_where_it_was_and_ends_with_the_same_weights(self):
        whole = self.recipe(epochs=600)
        self.assertEqual(tulle("train", whole, "--threads", "1").returncode, 0)
        weights = self.folder / "miniature-small-x2-canonical.safetensors"
        expected = tensors(weights)
        self.assertGreater(len(expected), 1000)
        log, checkpoint = (weights.with_suffix(f".patch.{kind}") for kind in ("csv", "train"))
        for file in (weights, log, checkpoint):
            file.unlink()

        process = subprocess.Popen([PROGRAM, "train", whole, "--threads", "1", "--checkpoint-every", "0.05"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        wait_for(process, lambda: log.exists() and len(rows_of(log)) >= 20)
        earlier = written(checkpoint)
        wait_for(process, lambda: written(checkpoint) not in (None, earlier))  # with those epochs in it
        process.kill()
        errors = process.communicate()[1]
        self.assertEqual(process.returncode, -signal.SIGKILL, f"it ended before it was killed: {errors}")
        self.assertFalse(weights.exists())
        before = rows_of(log)

        done = tulle("train", whole, "--resume", "--threads", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = rows_of(log)
        self.assertEqual([int(row.split(",")[0]) for row in after], list(range(1, 601)))
        # Each row has the seconds of its epoch: a run that began again would not repeat twenty of them.
        self.assertEqual(after[:20], before[:20])
        seconds = [float(row.split(",")[2]) for row in after]
        self.assertEqual(seconds, sorted(seconds))
        self.assertEqual(tensors(weights), expected)  # only the card differs, which tells minutes

    def test_a_training_that_ran_away_fails_and_leaves_the_weights_alone(self):
        self.assertEqual(tulle("train", self.recipe()).returncode, 0)
        weights = self.folder / "miniature-small-x2-canonical.safetensors"
        before = weights.read_bytes()
        done = tulle("train", self.recipe(epochs=50), *RUNAWAY)
        self.assertEqual(done.returncode, 1)
        self.assertIn("patch", done.stderr)
        self.assertIn("smaller learning rate", done.stderr)
        self.assertEqual(weights.read_bytes(), before)

    def test_a_training_that_ran_away_leaves_no_weights_where_there_were_none(self):
        done = tulle("train", self.recipe("hierarchy", 4, epochs=50), *RUNAWAY)
        self.assertEqual(done.returncode, 1)
        self.assertIn("level.1", done.stderr)
        self.assertEqual(list(self.folder.glob("*.safetensors")), [])

    def test_sequences_that_the_factor_does_not_divide_teach_but_are_not_measured(self):
        """Every window of 4×4 vertices of a 9×13 grid is a pair, but the grid has no miniature of a third its size."""
        done = tulle("train", self.recipe(factor=3), "--set", "features='paper'", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        weights = self.folder / "miniature-small-x3-paper.safetensors"
        info = tulle("info", weights, "--json")
        self.assertEqual(info.returncode, 0, info.stderr)
        card = json.loads(info.stdout)
        self.assertEqual(card["family"]["factor"], 3)
        self.assertIn("training pairs", card["data"])
        self.assertEqual(card["test_error"], {})
        self.assertEqual(json.loads(done.stdout)["test_error"], {})

    def test_a_hierarchy_learns_from_surfaces_of_irregular_meshes_alone(self):
        path = self.folder / "smooth.toml"
        path.write_text("method = 'hierarchy'\nname = 'general'\nfactor = 4\nfeatures = 'canonical'\noutput = 'smooth.safetensors'\n"
                        "[[data]]\ndevelopable = 3\nirregular = true\n[network]\nhidden = [8]\n"
                        "[training]\nbatch = 64\nepochs = 1\nsamples_per_epoch = 2000\n")
        done = tulle("train", path, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        card = json.loads(done.stdout)
        self.assertIn("irregular developable surfaces; 1 training", card["data"])
        self.assertGreater(card["test_error"]["developable_relative_to_butterfly"], 0)
        done = tulle("train", path, "--set", "method='miniature'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("is no grid, and a miniature learns from grids only", done.stderr)

    def test_calibrating_again_keeps_the_networks(self):
        self.assertEqual(tulle("train", self.recipe()).returncode, 0)
        weights = self.folder / "miniature-small-x2-canonical.safetensors"
        before, card = tensors(weights), json.loads(tulle("info", weights, "--json").stdout)
        done = tulle("train", self.recipe(), "--calibrate", "--set", "calibration.evaluations=30", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = json.loads(tulle("info", weights, "--json").stdout)
        self.assertEqual(tensors(weights), before)
        self.assertGreater(after["test_error"]["coarse_calibrated"], 0)
        for key in ("data", "tensors", "date", "command"):
            self.assertEqual(after[key], card[key])
        done = tulle("train", self.recipe(), "--calibrate", "--set", "name='other'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("miniature-other-x2-canonical.safetensors", done.stderr)

    def test_a_broken_recipe_ends_in_a_sentence(self):
        path = self.folder / "broken.toml"
        path.write_text(self.recipe().read_text().replace("batch", "bach"))
        done = tulle("train", path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("bach", done.stderr)
        self.assertIn("did you mean 'batch'", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["train_test"])
