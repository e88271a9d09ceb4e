#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle reproduce PAPER --quick` runs every table and figure of both papers with the shipped weights."""
import pathlib
import tempfile
import unittest

from support import ROOT, tulle


class ReproduceTest(unittest.TestCase):
    def check(self, paper, headings, pictures):
        with tempfile.TemporaryDirectory() as folder:
            done = tulle("reproduce", paper, "--quick", "--project", ROOT, "-o", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            page = (pathlib.Path(folder) / f"{paper}.md").read_text()
            for heading in headings:
                self.assertIn(heading, page)
            self.assertGreaterEqual(len(list(pathlib.Path(folder).glob("*.png"))), pictures)
            for line in page.splitlines():
                self.assertNotIn("nan", line)

    def test_hierarchy(self):
        self.check("hierarchy", ["Table 1", "Table 2", "Figures 6, 8 and 9", "Figure 7", "Figure 10", "Figure 11"], 7)

    def test_miniature(self):
        self.check("miniature", [f"Table {n}" for n in range(2, 9)] + ["Figures 13 and 14", "Figure 15"], 10)


if __name__ == "__main__":
    unittest.main(argv=["reproduce_test"])
