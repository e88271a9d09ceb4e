#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""benchmarks/accuracy.py, which takes hours, on almost nothing."""
import math
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import PROGRAM, ROOT

sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "benchmarks"))
import accuracy  # noqa: E402


class EqualCostTest(unittest.TestCase):
    def test_an_error_between_two_variants_is_interpolated_on_logarithmic_axes(self):
        points = [(1, 8.0), (4, 2.0), (16, 0.5)]  # error 8/ms, a straight line there
        for cost in (1, 2, 4, 9, 16):
            self.assertAlmostEqual(accuracy.at_equal_cost(points, cost), 8 / cost)

    def test_only_the_nearest_variant_on_either_side_counts(self):
        points = [(16, 0.5), (1, 100.0), (2, 4.0), (4, 2.0), (64, 9.0)]
        self.assertAlmostEqual(accuracy.at_equal_cost(points, 8), 1)

    def test_without_a_variant_on_both_sides_there_is_no_figure(self):
        points = [(1, 8.0), (4, 2.0)]
        self.assertIsNone(accuracy.at_equal_cost(points, 0.9))
        self.assertIsNone(accuracy.at_equal_cost(points, 4.1))
        self.assertIsNone(accuracy.at_equal_cost([], 1))

    def test_a_solver_that_is_always_dearer_is_no_rival_and_one_that_is_always_cheaper_is_not_comparable(self):
        points = [(1, 8.0), (4, 2.0)]
        self.assertEqual(accuracy.rival_at("admm", points, 0.9), (math.inf, "every admm costs more"))
        self.assertEqual(accuracy.rival_at("admm", points, 4.1), (None, "no admm costs as much"))
        self.assertEqual(accuracy.rival_at("admm", [], 1), (None, "no admm costs as much"))
        self.assertAlmostEqual(accuracy.rival_at("admm", points, 2)[0], 4)


class PartsTest(unittest.TestCase):
    def test_parts_are_measured_one_by_one_and_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            build = pathlib.Path(folder)
            shutil.copy(PROGRAM, build / "tulle")

            def run(*options):
                return subprocess.run([ROOT / "benchmarks/accuracy.py", build, build / "page.md", "--quick", *options],
                                      capture_output=True, text=True)

            first = run("--only", "over-stretched")
            self.assertEqual(first.returncode, 0, first.stderr)
            page = (build / "page.md").read_text()
            self.assertIn("| hierarchy on overstretch, ours against the paper's | at most 0.5 × |", page)
            self.assertIn("Not measured: teacher-forced, general, meshes, same-coarse-cloth, ensemble, equal-cost.", page)
            second = run("--only", "teacher-forced")
            self.assertEqual(second.returncode, 0, second.stderr)
            self.assertNotIn("overstretch.toml", second.stderr, "it is kept")
            page = (build / "page.md").read_text()
            for row in ("teacher-forced, flag, held-out sequences, against bicubic", "hierarchy on overstretch"):
                self.assertIn(row, page)
            self.assertIn("tulle evaluate scenes/overstretch.toml", run("--only", "over-stretched", "--fresh").stderr)


if __name__ == "__main__":
    unittest.main(argv=["accuracy_test.py"])
