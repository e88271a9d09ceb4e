#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures, films and exports from the command line, and what can go wrong with them."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from support import SMALL_SCENE, tulle


class RenderTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        scene = cls.folder / "small.toml"
        scene.write_text(SMALL_SCENE)
        cls.scene, cls.cache, cls.other, cls.start = scene, cls.folder / "a.h5", cls.folder / "b.h5", cls.folder / "start.h5"
        for cache, method, frames in ((cls.cache, "admm", 6), (cls.other, "xpbd", 4), (cls.start, "admm", 1)):
            done = tulle("simulate", scene, "--method", method, "--frames", frames, "-o", cache)
            assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def draw(self, name, *options, cache=None):
        target = self.folder / name
        done = tulle("render", cache or self.cache, "-o", target, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return target

    def refuse(self, *arguments, saying, target=None, env=None):
        done = tulle(*arguments, env=env)
        self.assertIn(done.returncode, (1, 2), done.stdout + done.stderr)
        self.assertIn(saying, done.stderr)
        self.assertLessEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
        if target:
            self.assertFalse(target.exists())
        self.assertEqual([p for p in self.folder.rglob("*part*")], [])

    def probe(self, film):
        text = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_streams", "-of", "json", film],
                              capture_output=True, text=True, check=True).stdout
        stream = json.loads(text)["streams"][0]
        return int(stream["nb_read_frames"]), stream["width"], stream["height"], stream["r_frame_rate"]

    def test_a_picture_has_its_size_and_each_look_is_another(self):
        looks = [(), ("--color", "strain"), ("--color", "speed"), ("--pattern", "weave"), ("--draft",), ("--frame", "2"),
                 ("--compare", self.other), ("--eye", "2", "-2", "2", "--target", "0.3", "0", "0.8")]
        pictures = set()
        for look in looks:
            data = self.draw("a.png", "--size", "320x180", *look).read_bytes()
            self.assertEqual((int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")), (320, 180))
            pictures.add(data)
        self.assertEqual(len(pictures), len(looks))

    def test_a_film_has_every_frame_at_the_frame_rate_and_is_as_long_as_the_shortest_cache(self):
        self.assertEqual(self.probe(self.draw("a.mp4", "--size", "160x90", "--draft")), (7, 160, 90, "25/1"))
        self.assertEqual(self.probe(self.draw("b.mp4", "--size", "161x91", "--draft", "--compare", self.other)),
                         (5, 160, 90, "25/1"))

    def test_a_cache_that_holds_only_two_frames_can_be_drawn_and_exported(self):
        self.draw("start.png", "--size", "160x90", cache=self.start)
        for kind in ("usd", "gltf", "obj", "pc2"):
            done = tulle("export", self.start, "--to", kind)
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_simulate_draws_and_exports_in_one_go(self):
        target = self.folder / "one"
        target.mkdir()
        done = tulle("simulate", self.scene, "--frames", 2, "-o", target / "go.h5", "--render", target / "go.png", "--export", "usd")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((target / "go.png").exists())
        self.assertTrue((target / "go.usda").exists())

    def test_what_cannot_be_done_ends_in_one_sentence_and_leaves_nothing(self):
        picture, film = self.folder / "x.png", self.folder / "x.mp4"
        for size in ("0x0", "100000x100", "8x8", "axb", "100", "100x", "-5x5", "100x100x100"):
            self.refuse("render", self.cache, "-o", picture, "--size", size, saying="16", target=picture)
        self.refuse("render", self.cache, "-o", picture, "--frame", "7", saying="frames 0 to 6", target=picture)
        self.refuse("render", self.cache, "-o", picture, "--color", "heat", saying="color", target=picture)
        self.refuse("render", self.cache, "-o", self.folder / "x.gif", saying="x.gif")
        self.refuse("render", self.cache, "-o", self.cache / "x.png", saying="cannot be made")
        self.refuse("render", self.folder / "missing.h5", "-o", picture, saying="missing.h5", target=picture)
        self.refuse("render", self.scene, "-o", picture, saying="small.toml", target=picture)
        self.refuse("render", self.cache, "-o", film, saying="ffmpeg", target=film, env={**os.environ, "PATH": "/nowhere"})
        self.refuse("export", self.cache, "--to", "fbx", saying="fbx")
        self.refuse("export", self.cache, "--to", "usd", "-o", self.cache / "x.usda", saying="cannot be made")
        self.refuse("simulate", self.scene, "--render", picture, saying="-o", target=picture)

    @unittest.skipUnless(os.geteuid() == 0, "mounting a small disk needs root")
    def test_a_full_disk_ends_in_one_sentence_and_leaves_nothing(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=12k", "tmpfs", disk], capture_output=True).returncode != 0:
            self.skipTest("this machine does not let us mount a small disk")
        try:
            for name, command in (("x.png", ("render", self.cache, "--size", "1280x720")),
                                  ("x.mp4", ("render", self.cache, "--size", "1280x720", "--draft")),
                                  ("x.usda", ("export", self.cache, "--to", "usd")),
                                  ("x.glb", ("export", self.cache, "--to", "gltf")),
                                  ("x.h5", ("simulate", self.scene))):
                done = tulle(*command, "-o", disk / name)
                self.assertEqual(done.returncode, 1, f"{name}: {done.stdout}{done.stderr}")
                self.assertLessEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
                self.assertFalse((disk / name).exists(), name)
                for leftover in disk.iterdir():
                    leftover.unlink()
        finally:
            subprocess.run(["umount", disk], check=True)


if __name__ == "__main__":
    unittest.main(argv=["render_test.py"])
