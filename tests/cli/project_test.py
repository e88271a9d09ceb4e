#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle project`: animations from anywhere are mended, and what cannot be is said."""
import json
import struct
import unittest

import h5py
import numpy

from support import SmallSceneTest, digest, frames_of, tulle

SOFT = ["--set", "cloth.stretch.stiffness=8", "--set", "cloth.shear.stiffness=8", "--set", "cloth.bend.stiffness=0"]


class ProjectTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.cache, self.mended = self.folder / "soft.h5", self.folder / "mended.h5"

    def simulate(self, *options):
        done = tulle("simulate", self.scene, "--frames", 8, "-o", self.cache, *SOFT, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def project(self, *arguments, expected=0):
        done = tulle("project", *arguments, "-o", self.mended, "--json")
        self.assertEqual(done.returncode, expected, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def worst_stretch(self, path):
        """By an independent reader: the largest length of an edge over its rest length, in any frame."""
        with h5py.File(path) as file:
            rest, triangles, frames = (file[name][...] for name in ("rest_positions", "triangles", "positions"))
        edges = numpy.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        lengths = lambda points: numpy.linalg.norm(points[..., edges[:, 0], :] - points[..., edges[:, 1], :], axis=-1)
        return (lengths(frames.astype(float)) / lengths(rest)).max()

    def write_obj(self, name, positions):
        with h5py.File(self.cache) as file:
            triangles = file["triangles"][...]
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join("v %r %r %r\n" % tuple(map(float, p)) for p in positions) +
                        "".join("f %d %d %d\n" % tuple(t + 1) for t in triangles))
        return path

    def test_a_cache_is_made_inextensible_and_its_pins_stay(self):
        self.simulate()
        self.assertGreater(self.worst_stretch(self.cache), 1.1)
        report = self.project(self.cache, "--inextensible", 0.01)
        self.assertEqual((report["frames"], report["particles"], report["fixed"], report["unsolved"]), (9, 117, 9, []))
        self.assertLessEqual(report["violation"], 1e-6)
        self.assertLessEqual(report["gap"], 1e-6)
        self.assertGreater(report["before"]["worst_stretch"], 0.1)
        self.assertLessEqual(report["after"]["worst_stretch"], 0.01 + 1e-6)
        self.assertLess(self.worst_stretch(self.mended), 1.01 + 1e-5)  # caches are in single precision
        before, after = frames_of(self.cache)[0], frames_of(self.mended)[0]
        self.assertTrue((before[:, ::13] == after[:, ::13]).all())
        with h5py.File(self.mended) as file:
            self.assertEqual(file.attrs["method"].decode().strip("\0"), "admm+inextensible")

    def test_a_cache_comes_to_rest(self):
        self.simulate()
        report = self.project(self.cache, "--quasistatic", "--mu", 0.1)
        self.assertLess(report["after"]["worst_stretch"], report["before"]["worst_stretch"])
        self.assertLessEqual(report["gradient"], 1e-6)
        both = self.project(self.cache, "--quasistatic", "--inextensible", 0.02)
        self.assertEqual(both["projection"], "quasistatic+inextensible")
        self.assertLessEqual(both["after"]["worst_stretch"], 0.02 + 1e-6)

    def test_point_caches_and_obj_files_are_mended_alike(self):
        self.simulate()
        frames = frames_of(self.cache)[0]
        with h5py.File(self.cache) as file:
            rest = self.write_obj("rest.obj", file["rest_positions"][...])
        points = self.folder / "walk.pc2"
        points.write_bytes(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 117, 0, 1, len(frames)) +
                           numpy.ascontiguousarray(frames, "<f4").tobytes())
        for f, positions in enumerate(frames):
            self.write_obj("walk/frame-%03d.obj" % f, positions)
        from_points = self.project(points, "--rest", rest, "--inextensible", 0.01)
        mended = frames_of(self.mended)[0]
        for source in (self.folder / "walk", self.folder / "walk" / "frame-*.obj"):
            report = self.project(source, "--rest", rest, "--inextensible", 0.01, "--frame-rate", 50)
            self.assertEqual(report["after"], from_points["after"])
            self.assertTrue((frames_of(self.mended)[0] == mended).all())
        self.assertEqual(from_points["fixed"], 0)
        fixed = self.project(points, "--rest", rest, "--inextensible", 0.01, "--fixed", "0,13,26")
        self.assertEqual(fixed["fixed"], 3)
        self.assertTrue((frames_of(self.mended)[0][:, 13] == frames[:, 13]).all())

    def test_a_frame_that_cannot_be_solved_is_named_and_the_exit_code_says_so(self):
        self.simulate()
        done = tulle("project", self.cache, "--inextensible", 0.01, "--max-iterations", 3, "-o", self.mended)
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not be solved to the tolerance", done.stderr)
        self.assertTrue(self.mended.exists())
        self.assertTrue(numpy.isfinite(frames_of(self.mended)[0]).all())

    def test_broken_input_ends_in_one_sentence_and_loses_nothing(self):
        self.simulate()
        self.mended.write_text("precious")
        broken = self.folder / "broken.obj"
        broken.write_text("v 0 0 0\nf 1 2 3\n")
        other = self.folder / "other.obj"
        other.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        points = self.folder / "cut.pc2"
        points.write_bytes(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, 117, 0, 1, 5) + b"\0" * 100)
        (self.folder / "empty").mkdir()
        limit = ["--inextensible", "0.01"]
        for arguments, sentence in (([self.folder / "none.h5", *limit], "none.h5"),
                                    ([self.folder / "small.toml", *limit], "is no animation"),
                                    ([self.folder / "empty", *limit], "names no OBJ files"),
                                    ([points, *limit], "cut.pc2"),
                                    ([self.cache, "--rest", broken, *limit], "broken.obj"),
                                    ([self.cache, "--rest", other, *limit], "has 3 vertices"),
                                    ([self.cache, "--fixed", "999", *limit], "vertex 999 cannot be fixed"),
                                    ([self.cache, "--fixed", "1,x", *limit], "neither vertices such as"),
                                    ([self.cache], "give --inextensible"),
                                    ([self.cache, "--compression", "0.1"], "give both"),
                                    ([self.cache, "--inextensible", "-1"], "--inextensible")):
            done = tulle("project", *arguments, "-o", self.mended)
            self.assertIn(done.returncode, (1, 2), arguments)
            self.assertIn(sentence, done.stderr)
            usage = "\ntry `tulle --help`" if done.returncode == 2 else ""
            self.assertRegex(done.stderr, r"^tulle: [^\n]*" + usage + r"\n$")
            self.assertEqual(self.mended.read_text(), "precious")
        done = tulle("project", self.cache, *limit, "-o", self.cache)
        self.assertIn("its own mended version", done.stderr)
        self.assertEqual(done.returncode, 1)

    def test_a_scene_attaches_projections_to_any_method_and_resumes_to_the_same_bits(self):
        attach = ["--set", "projection.inextensible=0.02"]
        for method in ("admm", "bicubic", "admm+quasistatic"):
            done = tulle("simulate", self.scene, "--frames", 8, "--method", method, "-o", self.cache, *SOFT, *attach)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertLess(self.worst_stretch(self.cache), 1.02 + 1e-5, method)
            whole = digest(self.cache)
            part = self.folder / "part.h5"
            for frames, more in ((5, []), (8, ["--resume"])):
                done = tulle("simulate", self.scene, "--frames", frames, "--method", method, "-o", part, *SOFT, *attach,
                             *more)
                self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(digest(part), whole, method)
            part.unlink()
        with h5py.File(self.cache) as file:
            positions, velocities, time = (file[name][...] for name in ("positions", "velocities", "time"))
        shown = (positions[1:].astype(float) - positions[:-1]) / numpy.diff(time)[:, None, None]
        self.assertLess(abs(shown - velocities[1:]).max(), 1e-4)

    def test_a_method_names_its_projection_in_an_evaluation(self):
        done = tulle("evaluate", self.scene, "--methods", "bicubic,bicubic+inextensible", "--frames", 6, "--json", "-o",
                     self.folder / "evaluation", *SOFT)
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        plain, mended = report["methods"]
        self.assertEqual(mended["name"], "bicubic+inextensible")
        self.assertGreater(plain["max_stretch"], 1.05)
        self.assertLess(mended["max_stretch"], 1.0101)


if __name__ == "__main__":
    unittest.main(argv=["project_test.py"])
