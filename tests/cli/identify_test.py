#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle identify`: what it finds, what it writes, and what it refuses."""
import json
import unittest

from support import SmallSceneTest, tulle


class IdentifyTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.motion, self.fabric = self.folder / "motion.h5", self.folder / "fabric.toml"

    def simulate(self, frames, *options):
        done = tulle("simulate", self.scene, "--method", "mass_spring", "--set", "time.frame_rate=1000", "--set",
                     "solver.mass_spring.steps_per_frame=1", "--set", "forces.drag=0.7", "--frames", frames, "-o",
                     self.motion, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_recorded_cloth_becomes_a_scene_that_moves_like_it(self):
        self.simulate(60)
        done = tulle("identify", self.motion, "-o", self.fabric, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        found = report["parameters"]
        for name, truth in (("stretch.stiffness", 100), ("shear.stiffness", 100), ("drag", 0.7), ("gravity.z", -9.81)):
            self.assertTrue(found[name]["identifiable"], name)
            self.assertAlmostEqual(found[name]["value"], truth, delta=1e-3 * abs(truth))
        self.assertEqual((report["method"], report["law"]), ("mass_spring", "kinds"))
        text = self.fabric.read_text()
        self.assertIn("±", text)
        self.assertIn("[wind]", text)  # the rest of the scene is there too
        again = tulle("simulate", self.fabric, "--frames", 5, "-o", self.folder / "again.h5")
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_noise_is_the_same_for_the_same_seed(self):
        self.simulate(60)
        noisy = [tulle("identify", self.motion, "--noise", 0.001, "--seed", seed, "--law", "kinds", "--json").stdout
                 for seed in (1, 1, 2)]
        self.assertEqual(noisy[0], noisy[1])
        self.assertNotEqual(noisy[0], noisy[2])
        report = json.loads(noisy[0])
        self.assertAlmostEqual(report["noise"] / report["spacing"], 0.001, delta=0.0002)

    def test_what_cannot_be_identified_ends_in_one_sentence(self):
        self.simulate(5)
        for arguments, sentence in (([self.motion], "frames"), ([self.scene], "small.toml"),
                                    ([self.motion, "--first-frame", 50], "frame 50"),
                                    ([self.motion, "--law", "hooke"], "--law"),
                                    ([self.motion, "-o", self.motion / "fabric.toml"], "cannot be made")):
            done = tulle("identify", *arguments)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertFalse(self.fabric.exists())

    def test_neither_the_recording_nor_its_scene_is_overwritten(self):
        self.simulate(5)
        before = self.motion.read_bytes(), self.scene.read_bytes()
        for arguments in ([self.motion, "-o", self.motion], [self.motion, "--scene", self.scene, "-o", self.scene]):
            done = tulle("identify", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn("give the output another name", done.stderr)
        self.assertEqual((self.motion.read_bytes(), self.scene.read_bytes()), before)


if __name__ == "__main__":
    unittest.main(argv=["identify_test"])
