#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle garment`: what it refuses before it begins."""
import unittest

from support import SmallSceneTest, tulle


class GarmentTest(SmallSceneTest):
    def test_a_mesh_of_the_user_is_not_replaced(self):
        mesh = self.folder / "skirt.obj"
        mesh.write_text("# my own skirt\n")
        done = tulle("garment", "skirt", "-o", self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("skirt.obj", done.stderr)
        self.assertEqual(mesh.read_text(), "# my own skirt\n")
        self.assertFalse((self.folder / "skirt-pattern.obj").exists())

    def test_what_is_no_garment_or_no_folder_is_refused(self):
        self.assertIn("t-shirt", tulle("garment", "toga", "-o", self.folder).stderr)
        self.assertNotEqual(tulle("garment", "skirt", "-o", self.folder / "nowhere").returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=["garment_test"])
