#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The force cell as a person uses it: record a cloth, learn its physics, simulate by what was learnt."""
import json
import math
import unittest

import h5py
import numpy
from support import SmallSceneTest, frames_of, tulle

SCENE = """
method = "mass_spring"
[time]
frame_rate = 50
frames = 12
[cloth]
rows = 11
columns = 13
width = 0.6
height = 0.5
mass = 0.01
[cloth.stretch]
stiffness = 90
damping = 0.01
[cloth.shear]
stiffness = 70
damping = 0.02
[cloth.bend]
stiffness = 9
damping = 0.03
[[pins]]
corners = ["top-left", "top-right"]
[forces]
drag = 0.7
[solver.mass_spring]
steps_per_frame = 40
"""

RECIPE = """
method = "force_cell"
name = "small"
[[data]]
folder = "seen"
scene = "cell.toml"
use = "training"
[[data]]
folder = "others"
scene = "cell.toml"
sweep = "cell.sweep.toml"
[training]
epochs = 25
samples_per_epoch = 8192
batch = 256
learning_rate = 1e-2
schedule = "step_cosine"
final_learning_rate = 1e-7
"""

SWEEP = """
sequences = 3
frames = 8
[[vary]]
keys = ["cloth.velocity"]
min = [-1, -1, -1]
max = [1, 1, 1]
"""


class ForceCellTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.scene = self.folder / "cell.toml"
        self.scene.write_text(SCENE)
        (self.folder / "cell.sweep.toml").write_text(SWEEP)
        self.recipe = self.folder / "recipe.toml"
        self.recipe.write_text(RECIPE)
        self.weights = self.folder / "force-cell-small.safetensors"

    def train(self, *options):
        done = tulle("train", self.recipe, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def frames(self, method, *options):
        cache = self.folder / f"{method}.h5"
        done = tulle("simulate", self.scene, "--method", method, "-o", cache, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return frames_of(cache)[0].astype(float), json.loads(done.stdout)

    def test_a_recorded_cloth_becomes_a_cell_that_moves_alike(self):
        recorded = tulle("generate", self.scene, "-o", self.folder / "seen")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        with h5py.File(self.folder / "seen" / "0000.h5") as file:
            self.assertEqual(file["velocities"].shape, (13, 143, 3))
        card = self.train()
        self.assertEqual(card["family"]["activation"], "isru")
        self.assertAlmostEqual(card["family"]["time_step"], 1 / 2000)
        self.assertLess(card["test_error"]["one_step_relative"], 1e-5)
        truth, _ = self.frames("mass_spring")
        cell, report = self.frames("force_cell", "--weights", self.weights)
        self.assertEqual(report["note"], "")
        self.assertLess(numpy.linalg.norm(cell[-1] - truth[-1], axis=1).mean(), 1e-5)
        self.assertGreater(numpy.linalg.norm(truth[-1] - truth[0], axis=1).mean(), 0.02)

    def test_the_closed_form_needs_no_training_and_finds_what_the_scene_says(self):
        card = self.train("--set", "cell.fit='least_squares'")
        self.assertIn("2 training", card["data"])  # the one that was seen, and one of the others
        self.assertRegex(card["data"], r"[1-9]\d* training pairs")
        self.assertLess(card["test_error"]["one_step_relative"], 1e-9)
        data = self.weights.read_bytes()
        header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
        values = {}
        for name, entry in header.items():
            if name != "__metadata__":
                self.assertEqual(entry["dtype"], "F64")
                begin, end = (8 + int.from_bytes(data[:8], "little") + offset for offset in entry["data_offsets"])
                values[name] = numpy.frombuffer(data[begin:end], "<f8")
        numpy.testing.assert_allclose(values["linear"], [90] * 4 + [70] * 4 + [9] * 4, rtol=1e-6)
        lengths = [0.05] * 4 + [math.hypot(0.05, 0.05)] * 4 + [0.1] * 4
        numpy.testing.assert_allclose(values["nonlinear"], -values["linear"] * lengths, rtol=1e-6)
        numpy.testing.assert_allclose(values["derivative"], [0.01] * 4 + [0.02] * 4 + [0.03] * 4, rtol=1e-5)
        numpy.testing.assert_allclose(values["bias"], [0, 0, -9.81], atol=1e-6)

    def test_the_papers_cell_trains_and_runs_in_the_plain_twin(self):
        self.train("--set", "cell.design='paper'", "--set", "cell.units='evolved'", "--set", "cell.population=200")
        _, report = self.frames("force_cell", "--weights", self.weights, "--frames", "1")
        self.assertIn("plain twin", report["note"])

    def test_steps_are_set_as_for_a_solver(self):
        self.train("--set", "cell.fit='least_squares'")
        _, usual = self.frames("force_cell", "--weights", self.weights)
        _, other = self.frames("force_cell", "--weights", self.weights, "--set",
                               "solver.force_cell.steps_per_frame=100")
        self.assertEqual((usual["steps_per_frame"], other["steps_per_frame"]), (40, 100))
        self.assertIn("takes steps of 0.0002 s", other["note"])

    def test_what_is_wrong_ends_in_a_sentence(self):
        for setting, sentence in (("network.hidden=[8]", "is for methods with dense layers"),
                                  ("training.loss='huber'", "is for methods with dense layers"),
                                  ("cell.activation='relu'", "valid are isru, tanh and softsign"),
                                  ("cell.filters='some'", "filters"),
                                  ("data.0.use='play'", "use")):
            done = tulle("train", self.recipe, "--set", setting)
            self.assertEqual(done.returncode, 1, setting)
            self.assertIn(sentence, done.stderr)
        done = tulle("train", self.recipe, "--set", "cell.design='paper'", "--set", "cell.fit='least_squares'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("only where its filters are fixed", done.stderr)
        done = tulle("simulate", self.scene, "--method", "mass_spring", "--weights", self.weights)
        self.assertEqual(done.returncode, 1)
        self.assertIn("mass_spring has no weights", done.stderr)
        done = tulle("train", self.recipe, "--set", "data.1.use='test'")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing for validation", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["force_cell_test"])
