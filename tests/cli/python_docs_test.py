#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python of docs/python.md runs as it is printed, and says what is true."""
import contextlib
import io
import os
import re
import unittest

from support import ROOT, SmallSceneTest, frames_of, tulle


class PythonDocsTest(SmallSceneTest):
    def test_the_examples_run_one_after_the_other(self):
        done = tulle("simulate", self.scene, "--frames", 6, "-o", self.folder / "out" / "flag.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "python.md").read_text(), re.DOTALL)
        self.assertEqual(len(blocks), 2)
        before, printed = os.getcwd(), io.StringIO()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, before)
        with contextlib.redirect_stdout(printed):
            exec("\n".join(blocks), {})
        self.assertRegex(printed.getvalue(), r"^7 frames, 117 vertices, z is up, worst edge stretched to 1\.\d\d\n$")
        data = (self.folder / "out" / "points.pc2").read_bytes()
        self.assertEqual(data[32:], frames_of(self.folder / "out" / "flag.h5")[0].tobytes())
        done = tulle("upscale", "out/points.pc2", "--grid", "9x13", "--method", "bicubic", "-o", "out/fine.h5")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_dataset_and_attribute_of_a_cache_is_documented(self):
        import h5py
        tulle("simulate", ROOT / "scenes" / "deforming-ball.toml", "--frames", 1, "-o", self.folder / "ball.h5")
        text = (ROOT / "docs" / "python.md").read_text()
        with h5py.File(self.folder / "ball.h5") as file:
            for name in [*file.attrs, *file]:
                self.assertIn(name, text)


if __name__ == "__main__":
    unittest.main(argv=["python_docs_test.py"])
