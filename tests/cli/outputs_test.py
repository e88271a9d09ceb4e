#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a command writes never takes the place of an input, or of a file of another kind."""
import os
import subprocess
import unittest

import h5py
from support import PROGRAM, ROOT, SmallSceneTest, frames_of, tulle


class OutputsTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "small.h5"
        self.assertEqual(tulle("simulate", self.scene, "--frames", 3, "-o", self.cache).returncode, 0)

    def contents(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def assert_refused(self, *arguments, saying="is kept"):
        before = self.contents()
        done = tulle(*arguments)
        self.assertEqual(done.returncode, 1, (arguments, done.stdout, done.stderr))
        self.assertIn(saying, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual(self.contents(), before, arguments)

    def test_no_command_replaces_its_own_input(self):
        for copy in ("scene.h5", "scene.png", "scene.mp4"):
            (self.folder / copy).write_bytes(self.scene.read_bytes())
        weights = ROOT / "models/miniature-general-x2-local.safetensors"
        onnx = self.folder / "w.onnx"
        onnx.write_bytes(weights.read_bytes())
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", self.scene, saying="ends in .h5")
        self.assert_refused("simulate", self.folder / "scene.h5", "--frames", 2, "-o", self.folder / "scene.h5")
        for picture in ("scene.png", "scene.mp4"):
            self.assert_refused("render", self.cache, "-o", self.folder / picture)
        self.assert_refused("render", self.cache, "-o", self.cache, saying="neither a picture")
        for form in ("usd", "gltf", "pc2"):
            self.assert_refused("export", self.cache, "--to", form, "-o", self.cache)
        self.assert_refused("export", self.cache, "--to", "obj", "-o", self.cache, saying="taken")
        self.assert_refused("export", onnx, "--to", "onnx", "-o", onnx)
        self.assert_refused("project", self.cache, "--inextensible", 0.1, "-o", self.cache, saying="would be replaced")
        self.assert_refused("upscale", self.cache, "-m", "bilinear", "-o", self.cache, saying="would be replaced")
        self.assert_refused("identify", self.cache, "-o", self.cache, saying="would be replaced")
        self.assert_refused("identify", self.cache, "--scene", self.scene, "-o", self.scene, saying="would be replaced")

    def test_links_to_an_input_are_known(self):
        soft, hard = self.folder / "soft.h5", self.folder / "hard.h5"
        soft.symlink_to(self.cache)
        os.link(self.cache, hard)
        for link in (soft, hard):
            self.assert_refused("project", self.cache, "--inextensible", 0.1, "-o", link, saying="would be replaced")
            self.assert_refused("upscale", self.cache, "-m", "bilinear", "-o", link, saying="would be replaced")

    def test_a_file_of_another_kind_is_kept(self):
        notes = self.folder / "notes"
        for name in ("notes.h5", "notes.h5.part", "notes.xdmf", "notes.png", "notes.usda", "notes.glb", "notes.pc2",
                     "notes.obj", "notes.toml"):
            (self.folder / name).write_text("my notes\n")
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", f"{notes}.h5")
        (self.folder / "notes.h5").unlink()
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", f"{notes}.h5")
        (self.folder / "notes.h5.part").unlink()
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", f"{notes}.h5")
        self.assert_refused("render", self.cache, "-o", f"{notes}.png")
        for form, ending in (("usd", "usda"), ("gltf", "glb"), ("pc2", "pc2")):
            self.assert_refused("export", self.cache, "--to", form, "-o", f"{notes}.{ending}")
        (self.folder / "notes.pc2").unlink()
        self.assert_refused("export", self.cache, "--to", "pc2", "-o", f"{notes}.pc2")  # because of notes.obj
        self.assert_refused("identify", self.cache, "-o", f"{notes}.toml")

    def test_an_hdf5_file_of_another_program_is_kept(self):
        other = self.folder / "measurements.h5"
        with h5py.File(other, "w") as file:
            file["temperature"] = [1.0, 2.0]
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", other)
        other.rename(self.folder / "b.h5.part")
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", self.folder / "b.h5")
        self.assert_refused("simulate", self.scene, "--frames", 2, "--resume", "-o", self.folder / "b.h5")

    def test_a_report_keeps_what_is_not_of_a_report(self):
        report = self.folder / "report"
        report.mkdir()
        for name in ("report.json", "report.csv", "curves.csv", "report.html", "frame.png", "admm.h5"):
            (report / name).write_text("mine")
            self.assert_refused("evaluate", self.scene, "-m", "admm", "-n", 2, "--no-converged", "-o", report)
            (report / name).unlink()

    def test_of_two_runs_into_one_cache_the_one_that_reports_success_owns_it(self):
        shared = self.folder / "shared.h5"
        refused = 0
        for _ in range(10):
            counts = (300, 301)
            runs = [subprocess.Popen([PROGRAM, "simulate", str(self.scene), "-n", str(count), "-o", str(shared)],
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for count in counts]
            ended = [(run.communicate(), run.returncode) for run in runs]
            winners = [count for count, (_, code) in zip(counts, ended) if code == 0]
            for (_, error), code in ended:
                if code != 0:
                    self.assertIn("another run is writing it", error)
                    refused += 1
            self.assertIn(len(frames_of(shared)[1]) - 1, winners)  # both may win, one after the other
            self.assertEqual([path for path in self.folder.iterdir() if "shared.h5." in path.name], [])
        self.assertGreater(refused, 0)

    def test_what_is_of_the_same_kind_or_empty_is_replaced(self):
        for form in ("usd", "gltf", "obj", "pc2"):
            for _ in range(2):
                done = tulle("export", self.cache, "--to", form)
                self.assertEqual(done.returncode, 0, done.stderr)
        picture = self.folder / "new" / "a.png"
        for _ in range(2):
            done = tulle("render", self.cache, "--draft", "--size", "64x48", "-o", picture)
            self.assertEqual(done.returncode, 0, done.stderr)
        empty = self.folder / "empty.h5"
        empty.touch()
        self.assertEqual(tulle("simulate", self.scene, "--frames", 2, "-o", empty).returncode, 0)
        self.assertEqual(tulle("simulate", self.scene, "--frames", 2, "-o", empty).returncode, 0)
        for _ in range(2):
            done = tulle("evaluate", self.scene, "-m", "admm", "-n", 2, "--no-converged", "--no-pictures", "-o",
                         self.folder / "report")
            self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[__file__])
