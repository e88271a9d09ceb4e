#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Broken scenes, meshes, caches and command lines through the program itself: each ends in one clear sentence and exit
code 1 or 2, nothing crashes, and nothing is overwritten."""
import os
import pathlib
import subprocess
import tempfile
import unicodedata
import unittest

import h5py
import numpy
from support import PROGRAM, SMALL_SCENE, tulle

GOOD_OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n"
MESH_SCENE = """
name = "mesh"
[time]
frames = 2
[cloth]
kind = "mesh"
file = "cloth.obj"
fabric = "cotton"
"""

# what is replaced in SMALL_SCENE, by what, and a part of the sentence that must come
SCENES = [
    ("rows = 9", "rows = -9", "rows"),
    ("rows = 9", "rows = 0", "rows"),
    ("rows = 9", 'rows = "nine"', "rows"),
    ("rows = 9", "rows = 9.5", "rows"),
    ("rows = 9", "rows = 100000000", "rows"),
    ("rows = 9", "rows = 9000000", "rows"),
    ("rows = 9", "rwos = 9", "did you mean 'rows'"),
    ("mass = 2e-3", "mass = -2e-3", "mass"),
    ("mass = 2e-3", "mass = nan", "mass"),
    ("mass = 2e-3", "mass = inf", "mass"),
    ("mass = 2e-3", "mass = 0", "mass"),
    ("mass = 2e-3", "mass = [1e-3, 2e-3]", "mass"),
    ("mass = 2e-3", "mass = 2e-3\ndensity = 1", "density"),
    ("stiffness = 100", "stiffness = -100", "stiffness"),
    ("stiffness = 100", "stifness = 100", "did you mean 'stiffness'"),
    ("stiffness = 100", 'stiffness = "hard"', "stiffness"),
    ("frames = 20", "frames = 0", "frames"),
    ("frames = 20", "frames = -1", "frames"),
    ("frame_rate = 25", "frame_rate = 0", "frame_rate"),
    ("frame_rate = 25", "frame_rate = nan", "frame_rate"),
    ("width = 0.6", "width = -0.6", "width"),
    ("[wind]", "[wnid]", "wnid"),
    ("velocity = [4, 1, 0]", "velocity = [4, 1]", "velocity"),
    ("velocity = [4, 1, 0]", 'velocity = "west"', "velocity"),
    ("velocity = [4, 1, 0]", "velocity = [4, nan, 0]", "velocity"),
    ('column = "first"', 'column = "middle"', "column"),
    ('column = "first"', "column = 99", "column"),
    ('column = "first"', "vertices = [0, 117]", "117"),
    ('column = "first"', "vertices = [-1]", "-1"),
    ('column = "first"', "region = {min = [5, 5, 5], max = [6, 6, 6]}", "hold no vertex"),
    ('kind = "grid"', 'kind = "knit"', "knit"),
    ('name = "small"', 'name = "small', ""),
    ('name = "small"', 'name = "small"\nname = "twice"', ""),
    ("[[pins]]", '[[colliders]]\nshape = "sphere"\nradius = -1\ncenter = [0,0,0]\n[[pins]]', "radius"),
    ("[[pins]]", '[[colliders]]\nshape = "blob"\n[[pins]]', "blob"),
    ("[[pins]]", '[[colliders]]\nshape = "mesh"\nfile = "missing.obj"\n[[pins]]', "missing.obj"),
    ("[[pins]]", "[solver.admm]\niterations = 0\n[[pins]]", "iterations"),
    ("[[pins]]", "[solver.amdm]\niterations = 5\n[[pins]]", "amdm"),
]

MESHES = [
    ("", "cloth.obj"),
    ("v 0 0 0\n", "cloth.obj"),
    ("hello\n", "cloth.obj"),
    (GOOD_OBJ + "f 1 2 9\n", "cloth.obj"),
    (GOOD_OBJ + "f 0 1 2\n", "cloth.obj"),
    (GOOD_OBJ + "v 5 5 5\n", "vertex 4 belongs to no triangle"),
    (GOOD_OBJ + "v 0 0 1\nf 3 2 5\n", "more than two triangles"),
    (GOOD_OBJ.replace("v 1 1 0", "v nan 1 0"), "cloth.obj"),
    (GOOD_OBJ + "f 1 1 2\n", "cloth.obj"),
    (GOOD_OBJ.replace("v 1 1 0", "v 1 1 1e400"), "cloth.obj"),
]

USAGES = [
    [],
    ["simulat"],
    ["simulate"],
    ["simulate", "SCENE", "--frames", "0"],
    ["simulate", "SCENE", "--frames", "many"],
    ["simulate", "SCENE", "--threads", "-1"],
    ["simulate", "SCENE", "--threads", "100000"],
    ["simulate", "SCENE", "--unknown"],
    ["info"],
]


class BrokenInputTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.scene = self.folder / "small.toml"
        self.scene.write_text(SMALL_SCENE)
        self.precious = self.folder / "precious.h5"
        self.precious.write_bytes(b"do not touch")

    def refuse(self, *arguments, saying, codes=(1,)):
        done = tulle(*arguments, timeout=60)
        self.assertIn(done.returncode, codes, f"{arguments}: {done.stdout}{done.stderr}")
        self.assertEqual(done.stdout, "")
        self.assertIn(saying, done.stderr)
        self.assertLessEqual(len(done.stderr.strip().splitlines()), 2, done.stderr)
        self.assertRegex(done.stderr, r"^tulle: .+")
        self.assertEqual(self.precious.read_bytes(), b"do not touch")
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_scenes(self):
        for old, new, saying in SCENES:
            with self.subTest(new=new):
                self.assertIn(old, SMALL_SCENE)
                self.scene.write_text(SMALL_SCENE.replace(old, new, 1))
                self.refuse("simulate", self.scene, "-o", self.precious, saying=saying)
                self.refuse("info", self.scene, saying=saying)

    def test_meshes(self):
        self.scene.write_text(MESH_SCENE)
        for text, saying in MESHES:
            with self.subTest(text=text):
                (self.folder / "cloth.obj").write_text(text)
                self.refuse("simulate", self.scene, "-o", self.precious, saying=saying)
        (self.folder / "cloth.obj").write_text(GOOD_OBJ)
        self.assertEqual(tulle("info", self.scene).returncode, 0)

    def test_depths_and_empty_choices(self):
        deep = self.folder / "deep.toml"
        deep.write_text("[" + ".".join(["a"] * 50000) + "]\n")
        self.refuse("info", deep, saying="deep.toml:1")
        sweep = self.folder / "empty.sweep.toml"
        sweep.write_text('sequences = 2\nframes = 3\n[[vary]]\nkeys = ["wind.normal"]\nchoices = []\n')
        self.refuse("generate", self.scene, "--sweep", sweep, "-o", self.folder / "data", saying="at least one choice")

    def test_a_diverged_cache_is_not_drawn_and_no_camera_stands_beyond_reach(self):
        cache = self.folder / "a.h5"
        self.assertEqual(tulle("simulate", self.scene, "--frames", 3, "-o", cache).returncode, 0)
        for camera in (["--eye", "1e19", "0", "0"], ["--target", "0", "-1e30", "0"]):
            self.refuse("render", cache, *camera, "-o", self.folder / "a.png", saying="within 1e+06 m")
        with h5py.File(cache, "r+") as file:
            file["positions"][2] *= 1e16
        for output in ("a.png", "a.mp4"):
            self.refuse("render", cache, "-o", self.folder / output, saying="it has diverged, in frame 2")
        info = tulle("info", cache)
        self.assertEqual(info.returncode, 1)
        self.assertIn("it has diverged: in frame 2", info.stdout)
        self.assertNotIn("sound       yes", info.stdout)

    def test_usages(self):
        for arguments in USAGES:
            with self.subTest(arguments=arguments):
                self.refuse(*[str(self.scene) if a == "SCENE" else a for a in arguments], saying="tulle", codes=(2,))

    def test_a_command_with_a_slip_of_the_pen_is_answered_with_the_right_one(self):
        for word, command in (("simulat", "simulate"), ("rendr", "render"), ("evalaute", "evaluate"), ("trian", "train")):
            self.refuse(word, self.scene, saying=f"there is no command '{word}'; did you mean '{command}'?", codes=(2,))
        self.refuse("frobnicate", saying="valid are simulate, view, info", codes=(2,))

    def test_numbers_that_are_none_are_refused(self):
        cache = self.folder / "a.h5"
        self.assertEqual(tulle("simulate", self.scene, "--frames", 3, "-o", cache).returncode, 0)
        for command, options in (("upscale", ["--frame-rate"]), ("identify", ["--noise"]),
                                 ("project", ["--frame-rate", "--inextensible", "--compression", "--mu", "--tolerance"])):
            for option in options:
                for value in ("nan", "-nan", "inf", "1e7e", "-1"):
                    self.refuse(command, cache, f"{option}={value}", "-o", self.folder / "b.h5", saying=option, codes=(2,))

    def test_no_control_character_of_a_name_reaches_the_terminal(self):
        evil = "evil\x1b[31m\x07\x7f\u009b31m\u0085 \u00e9\u6f22"
        names = [f"{evil}.toml".encode(), b"bytes\x9b31m.toml"]
        text = SMALL_SCENE.replace('name = "small"', 'name = "evil\\u001B[31m\\u0007\\u007F\\u009B31m\\u0085 \\u00E9\\u6F22"')
        text += '[[colliders]]\nname = "ball"\nshape = "sphere"\nradius = 0.1\ncenter = [0, 0, -5]\n'
        self.scene.write_text(text)
        cache = self.folder / "a.h5"
        outputs = []

        def run(*arguments):
            environment = {**os.environ, "TULLE_PROGRESS_SECONDS": "0"}
            done = subprocess.run([os.fsencode(a) for a in (PROGRAM, *map(os.fspath, arguments))], capture_output=True,
                                  env=environment)
            outputs.append(done.stdout + done.stderr)
            return done

        self.assertEqual(run("simulate", self.scene, "--frames", "3", "-o", cache).returncode, 0, outputs)
        with h5py.File(cache, "r+") as file:
            file.move("colliders/ball", "colliders/ball\x1b]0;title\x07")
        self.assertIn(b"]0;title", run("info", cache).stdout)
        run("info", cache, "--json")
        run("info", self.scene)
        run("evaluate", self.scene, "-m", "admm", "-n", "2", "--no-converged", "--no-pictures", "-o", self.folder / "r")
        run("simulate", self.scene, "--method", evil)
        run(evil)
        for name in names:
            path = os.fsencode(self.folder) + b"/" + name
            run("info", path)
            with open(path, "w") as file:
                file.write(text)
            run("info", path)
            run("simulate", path, "--frames", "2")
        for output in outputs:
            shown = output.decode()  # and all of it is UTF-8
            bad = [c for c in shown if unicodedata.category(c) == "Cc" and c not in "\n\t"]
            self.assertEqual(bad, [], shown)
        self.assertIn("\u00e9\u6f22", outputs[0].decode())

    def test_methods_and_settings(self):
        for method in ("amdm", "admm:", "admm:0", "admm:-3", "admm:many", "newton:3", ""):
            if method:
                self.refuse("simulate", self.scene, "--method", method, "-o", self.precious, saying="method")
        for setting in ("wind.velocty=[1,0,0]", "wind.velocity", "wind.velocity=[1,0", "=3", "pins.7.every=2"):
            self.refuse("simulate", self.scene, "--set", setting, "-o", self.precious, saying="--set")

    def test_files_that_are_not_there_or_not_what_they_should_be(self):
        self.refuse("simulate", self.folder / "missing.toml", saying="missing.toml")
        self.refuse("simulate", self.folder, saying=str(self.folder))
        self.refuse("info", self.folder / "missing.h5", saying="missing.h5")
        self.refuse("info", self.precious, saying="precious.h5")
        self.refuse("simulate", self.scene, "-o", self.scene / "such" / "folder" / "x.h5", saying="cannot be made")
        self.refuse("simulate", self.scene, "--resume", "-o", self.precious, saying="precious.h5")

    def test_caches(self):
        good = self.folder / "good.h5"
        self.assertEqual(tulle("simulate", self.scene, "--frames", 3, "-o", good).returncode, 0)
        whole = good.read_bytes()
        broken = self.folder / "broken.h5"
        for size in (0, 7, 100, 2000, len(whole) // 2, len(whole) - 1000):
            broken.write_bytes(whole[:size])
            self.refuse("info", broken, saying="broken.h5")

        def damage(what):
            broken.write_bytes(whole)
            with h5py.File(broken, "r+") as file:
                what(file)

        def set_value(name, place, value):
            def change(file):
                file[name][place] = value
            return change

        for what in (set_value("triangles", (0, 0), 5000), set_value("triangles", (0, 0), -1),
                     set_value("rest_positions", (3, 1), numpy.nan), lambda f: f.attrs.modify("version", 99),
                     lambda f: f.attrs.modify("format", "other"), lambda f: f.__delitem__("positions"),
                     lambda f: f.__delitem__("time")):
            damage(what)
            self.refuse("info", broken, saying="broken.h5")
            self.refuse("simulate", self.scene, "--resume", "-o", broken, saying="broken.h5")

        damage(set_value("positions", (2, 5, 1), numpy.inf))
        done = tulle("info", broken)
        self.assertEqual(done.returncode, 1)
        self.assertIn("2", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(argv=["broken_input_test.py"])
