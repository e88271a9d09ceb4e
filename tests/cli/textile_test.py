#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle textile`: what it prints, what it writes, and what it refuses."""
import json
import unittest

from support import SmallSceneTest, tulle


class TextileTest(SmallSceneTest):
    def test_a_fabric_is_tested_and_drawn(self):
        folder = self.folder / "new" / "textile"
        done = tulle("textile", "denim", "--spacings", 15, "-o", folder, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report, json.loads((folder / "textile.json").read_text()))
        denim = report["fabrics"][0]
        self.assertAlmostEqual(denim["cantilever"]["rigidity"] / denim["rigidity"], 1, delta=0.1)
        self.assertGreater(denim["drape"][0]["drape_coefficient"], 0.6)
        self.assertEqual(len(denim["drape"][0]["of_specimens"]), 3)
        for picture in ("drape.png", "drape-side.png", "cantilever.png"):
            self.assertEqual((folder / picture).read_bytes()[:4], b"\x89PNG")

    def test_what_is_not_a_fabric_is_refused(self):
        done = tulle("textile", "tweed")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the fabrics are cotton, silk, denim, rubber", done.stderr)
        self.assertNotEqual(tulle("textile", "silk", "--spacings", 0).returncode, 0)
        self.assertNotEqual(tulle("textile").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=["textile_test"])
