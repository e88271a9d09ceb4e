#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle upscale`, and upscaled simulations that are resumed."""
import json
import struct
import unittest

import numpy

from support import SmallSceneTest, digest, frames_of, tulle
import h5py


class UpscaleTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.coarse, self.fine = self.folder / "coarse.h5", self.folder / "fine.h5"

    def simulate(self, *options):
        done = tulle("simulate", self.scene, "--frames", 5, "-o", self.coarse, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_cache_is_made_finer_and_keeps_its_own_vertices(self):
        self.simulate()
        done = tulle("upscale", self.coarse, "--method", "bicubic", "--factor", 3, "-o", self.fine, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        self.assertEqual((report["frames"], report["coarse_particles"], report["particles"], report["weights"]),
                         (6, 117, 25 * 37, None))
        coarse, fine = frames_of(self.coarse)[0], frames_of(self.fine)[0]
        self.assertTrue((fine.reshape(6, 25, 37, 3)[:, ::3, ::3] == coarse.reshape(6, 9, 13, 3)).all())
        with h5py.File(self.fine) as file:
            self.assertEqual(file.attrs["method"].decode().strip("\0"), "upscale bicubic x3")
            self.assertEqual((file.attrs["grid_rows"], file.attrs["grid_columns"]), (25, 37))
        self.assertEqual(tulle("info", self.fine).returncode, 0)

    def test_a_point_cache_of_another_simulator_is_made_finer(self):
        self.simulate()
        coarse = frames_of(self.coarse)[0]
        points = self.folder / "coarse.pc2"
        points.write_bytes(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 117, 0, 1, len(coarse)) +
                           numpy.ascontiguousarray(coarse, "<f4").tobytes())
        done = tulle("upscale", points, "--grid", "9x13", "--frame-rate", 50, "--method", "bilinear", "-o", self.fine)
        self.assertEqual(done.returncode, 0, done.stderr)
        fine, times = frames_of(self.fine)
        self.assertEqual(fine.shape, (6, 17 * 25, 3))
        self.assertAlmostEqual(times[5], 0.1)
        middle = fine.reshape(6, 17, 25, 3)[:, 0, 1]
        expected = (coarse[:, 0].astype(float) + coarse[:, 1]) / 2
        self.assertLess(abs(middle - expected).max(), 1e-6)
        for arguments, sentence in ((["--method", "bilinear"], "--grid ROWSxCOLUMNS"),
                                    (["--method", "bilinear", "--grid", "9x14"], "117 points, which is not 9 rows of 14"),
                                    (["--method", "bilinear", "--grid", "nine"], "such as 25x37")):
            done = tulle("upscale", points, "-o", self.folder / "none.h5", *arguments)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(sentence, done.stderr)
            self.assertFalse((self.folder / "none.h5").exists())

    def test_what_cannot_be_upscaled_ends_in_one_sentence(self):
        self.simulate()
        for arguments, sentence in ((["--factor", 5], "there are no weights for miniature on 'small' at factor 5"),
                                    (["--method", "admm"], "does not upscale an animation"),
                                    (["--weights", self.folder / "no.safetensors"], "no.safetensors")):
            done = tulle("upscale", self.coarse, "-o", self.fine, *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse(self.fine.exists())

    def test_an_upscaled_simulation_that_is_resumed_has_the_same_bits(self):
        whole = self.folder / "whole.h5"
        method = ["--method", "bicubic", "--factor", 4]
        self.assertEqual(tulle("simulate", self.scene, *method, "--frames", 20, "-o", whole).returncode, 0)
        self.simulate(*method)
        done = tulle("simulate", self.scene, *method, "--frames", 20, "--resume", "-o", self.coarse)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(digest(whole), digest(self.coarse))
        done = tulle("simulate", self.scene, "--method", "bicubic", "--factor", 2, "--resume", "-o", self.coarse)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=["upscale_test.py"])
