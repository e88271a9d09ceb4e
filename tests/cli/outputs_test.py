#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a command writes never takes the place of an input, or of a file of another kind."""
import os
import pathlib
import signal
import subprocess
import time
import unittest

import h5py
from support import PROGRAM, ROOT, SmallSceneTest, frames_of, tulle


RECIPE = """
name = "small"
method = "miniature"
factor = 2
output = "w.safetensors"
[[data]]
folder = "data"
scene = "small.toml"
sweep = "small.sweep.toml"
[training]
epochs = 1
"""


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
        weights = ROOT / "models/miniature-general-x2-canonical.safetensors"
        onnx = self.folder / "w.onnx"
        onnx.write_bytes(weights.read_bytes())
        self.assert_refused("simulate", self.scene, "--frames", 2, "-o", self.scene, saying="ends in .h5")
        self.assert_refused("simulate", self.folder / "scene.h5", "--frames", 2, "-o", self.folder / "scene.h5")
        for picture in ("scene.png", "scene.mp4"):
            self.assert_refused("render", self.cache, "-o", self.folder / picture)
        self.assert_refused("render", self.cache, "-o", self.cache, saying="neither a picture")
        for form in ("usd", "gltf", "pc2"):
            self.assert_refused("export", self.cache, "--to", form, "-o", self.cache, saying="does not write .h5")
        self.assert_refused("export", self.cache, "--to", "obj", "-o", self.cache, saying="does not write .h5")
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

    def test_what_cannot_be_written_is_refused_before_the_run(self):
        new = self.folder / "new.h5"
        (self.folder / "new.obj").write_text("v 0 0 0\n")
        (self.folder / "notes.png").write_text("my notes")
        run = ["simulate", self.scene, "--frames", 100000000, "-o", new]  # it would take hours
        self.assert_refused(*run, "--render", self.scene / "a.png", saying="cannot be made")
        self.assert_refused(*run, "--render", self.folder / "notes.png")
        self.assert_refused(*run, "--render", self.folder / "a.gif", saying="neither a picture")
        self.assert_refused(*run, "--export", "pc2")
        self.assert_refused("demo", self.scene, "-n", 100000, "-o", self.scene / "demo", saying="cannot be made")

    @unittest.skipUnless(pathlib.Path(PROGRAM).with_name("tulle-train").exists(), "built without training")
    def test_what_cannot_be_written_is_refused_before_training(self):
        recipe = self.folder / "recipe.toml"
        recipe.write_text(RECIPE)
        (self.folder / "small.sweep.toml").write_text("sequences = 4\nframes = 5\n")
        for name in ("w.safetensors", "w.patch.csv", "w.patch.train", "w.patch.curves.svg"):
            (self.folder / name).write_text("my notes")
            self.assert_refused("train", recipe)
            (self.folder / name).unlink()
        self.assert_refused("train", recipe, "--set", f"output='{self.scene}/w.safetensors'", saying="cannot be made")
        self.assertFalse((self.folder / "data").exists())

    def interrupt(self, *arguments):
        """Ctrl-C once something is being written."""
        before = set(self.folder.rglob("*"))
        run = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if arguments[0] == "export":
            while run.poll() is None and set(self.folder.rglob("*")) == before:
                time.sleep(0.001)
        else:
            time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        _, error = run.communicate()
        self.assertEqual(run.returncode, 1, error)
        self.assertIn("stopped; nothing was written", error)
        self.assertEqual(set(self.folder.rglob("*")), before)

    def test_an_interrupted_export_or_picture_leaves_nothing(self):
        long = self.folder / "long.h5"
        self.assertEqual(tulle("simulate", self.scene, "-n", 4000, "-o", long).returncode, 0)
        for form in ("usd", "obj"):
            self.interrupt("export", long, "--to", form, "-o", self.folder / "x")
        self.interrupt("render", long, "--size", "8192x8192", "-o", self.folder / "x.png")  # takes half a minute
        self.interrupt("render", long, "-o", self.folder / "x.mp4")

    def test_what_a_killed_export_left_is_removed_by_the_next_one(self):
        long = self.folder / "long.h5"
        self.assertEqual(tulle("simulate", self.scene, "-n", 2000, "-o", long).returncode, 0)
        run = subprocess.Popen([PROGRAM, "export", str(long), "--to", "usd"], stdout=subprocess.DEVNULL)
        while run.poll() is None and not list(self.folder.glob("*.tmp")):
            time.sleep(0.001)
        run.kill()
        run.wait()
        self.assertEqual(len(list(self.folder.glob("*.tmp"))), 1)
        self.assertEqual(tulle("export", self.cache, "--to", "pc2").returncode, 0)
        self.assertEqual(list(self.folder.glob("*.tmp")), [])

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
