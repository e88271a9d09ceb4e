#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`tulle upscale`, and upscaled simulations that are resumed."""
import json
import struct
import unittest

import numpy

from support import SmallSceneTest, digest, frames_of, tulle
import h5py


def write_points(path, frames, start=0):
    path.write_bytes(b"POINTCACHE2\0" + struct.pack("<iiffi", 1, frames.shape[1], start, 1, len(frames)) +
                     numpy.ascontiguousarray(frames, "<f4").tobytes())


def read_points(path):
    """First frame number, and positions."""
    data = path.read_bytes()
    _, count, start, _, frames = struct.unpack_from("<iiffi", data, 12)
    return start, numpy.frombuffer(data, "<f4", offset=32).reshape(frames, count, 3)


class UpscaleTest(SmallSceneTest):
    def setUp(self):
        super().setUp()
        self.coarse, self.fine = self.folder / "coarse.h5", self.folder / "fine.h5"

    def simulate(self, *options):
        done = tulle("simulate", self.scene, "--frames", 5, "-o", self.coarse, *options)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_cache_is_made_finer_and_keeps_its_own_vertices(self):
        self.simulate()
        done = tulle("upscale", self.coarse, "--method", "bicubic", "--factor", 3, "-o", self.fine, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        self.assertEqual((report["frames"], report["coarse_particles"], report["particles"], report["weights"]),
                         (6, 117, 25 * 37, None))
        coarse, fine = frames_of(self.coarse)[0], frames_of(self.fine)[0]
        self.assertTrue((fine.reshape(6, 25, 37, 3)[:, ::3, ::3] == coarse.reshape(6, 9, 13, 3)).all())
        with h5py.File(self.fine) as file:
            self.assertEqual(file.attrs["method"].decode().strip("\0"), "upscale bicubic x3")
            self.assertEqual((file.attrs["grid_rows"], file.attrs["grid_columns"]), (25, 37))
        self.assertEqual(tulle("info", self.fine).returncode, 0)

    def test_a_point_cache_of_another_simulator_is_made_finer(self):
        self.simulate()
        coarse = frames_of(self.coarse)[0]
        points = self.folder / "coarse.pc2"
        write_points(points, coarse)
        done = tulle("upscale", points, "--grid", "9x13", "--frame-rate", 50, "--method", "bilinear", "-o", self.fine)
        self.assertEqual(done.returncode, 0, done.stderr)
        fine, times = frames_of(self.fine)
        self.assertEqual(fine.shape, (6, 17 * 25, 3))
        self.assertAlmostEqual(times[5], 0.1)
        middle = fine.reshape(6, 17, 25, 3)[:, 0, 1]
        expected = (coarse[:, 0].astype(float) + coarse[:, 1]) / 2
        self.assertLess(abs(middle - expected).max(), 1e-6)
        for arguments, sentence in ((["--method", "bilinear"], "--grid ROWSxCOLUMNS"),
                                    (["--method", "bilinear", "--grid", "9x14"], "117 points, which is not 9 rows of 14"),
                                    (["--method", "bilinear", "--grid", "nine"], "such as 25x37")):
            done = tulle("upscale", points, "-o", self.folder / "none.h5", *arguments)
            self.assertIn(done.returncode, (1, 2))
            self.assertIn(sentence, done.stderr)
            self.assertFalse((self.folder / "none.h5").exists())

    def test_what_cannot_be_upscaled_ends_in_one_sentence(self):
        self.simulate()
        for arguments, sentence in ((["--factor", 5], "there are no weights for miniature on 'small' at factor 5"),
                                    (["--mesh", self.scene], "leave --mesh out"),
                                    (["--factor", 5], "choose a factor that has some (--factor 2, 3, 4)"),
                                    (["--method", "admm"], "does not upscale an animation"),
                                    (["--weights", self.folder / "no.safetensors"], "no.safetensors")):
            done = tulle("upscale", self.coarse, "-o", self.fine, *arguments)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertFalse(self.fine.exists())

    def test_what_goes_out_as_a_point_cache_comes_in_again_where_it_was(self):
        self.simulate("--export", "pc2")
        points, mesh = self.coarse.with_suffix(".pc2"), self.coarse.with_suffix(".obj")
        coarse = frames_of(self.coarse)[0]
        done = tulle("upscale", points, "--mesh", mesh, "--method", "bicubic", "-o", self.fine)
        self.assertEqual(done.returncode, 0, done.stderr)
        with h5py.File(self.fine) as file:
            self.assertEqual(bytes(file.attrs["up_axis"]).strip(b"\0"), b"y")
            x, y, z = numpy.moveaxis(file["positions"][:, :117], 2, 0)  # a coarse vertex keeps its number
        self.assertLess(abs(numpy.stack([x, -z, y], axis=2) - coarse).max(), 1e-6)
        done = tulle("export", self.fine, "-o", self.folder / "out.pc2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((read_points(self.folder / "out.pc2")[1][:, :117] == read_points(points)[1]).all())
        done = tulle("export", self.coarse, "--up", "z", "-o", self.folder / "out.pc2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((read_points(self.folder / "out.pc2")[1] == coarse).all())

    def test_an_artists_mesh_in_any_order_comes_back_finer_with_its_own_vertices_first(self):
        self.simulate()
        order = numpy.random.default_rng(5).permutation(117)
        place = numpy.argsort(order)
        coarse = frames_of(self.coarse)[0][:, order]
        points, mesh = self.folder / "shuffled.pc2", self.folder / "shuffled.obj"
        write_points(points, coarse, start=41)
        quads = [[place[13 * r + c], place[13 * r + 13 + c], place[13 * r + 14 + c], place[13 * r + 1 + c]]
                 for r in range(8) for c in range(12)]
        mesh.write_text("".join("v %r %r %r\n" % tuple(map(float, p)) for p in coarse[0]) +
                        "".join("f %d %d %d %d\n" % tuple(v + 1 for v in quad) for quad in quads))
        result = self.folder / "result.pc2"
        done = tulle("upscale", points, "--mesh", mesh, "--up", "z", "--frame-rate", 24, "-o", result, "--json",
                     "--progress", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(sorted(report["grid"]), [9, 13])
        self.assertEqual((report["method"], report["first_frame"], report["frame_rate"]), ("miniature", 41, 24))
        self.assertIn("miniature-general-x2", report["weights"])
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        self.assertEqual(lines[-1], {"task": "exporting", "done": 100, "total": 100})
        self.assertIn({"task": "upscaling", "done": 6, "total": 6}, lines)
        start, fine = read_points(result)
        self.assertEqual((start, fine.shape), (41, (6, 17 * 25, 3)))
        self.assertTrue((fine[:, :117] == coarse).all())
        faces = [line for line in result.with_suffix(".obj").read_text().splitlines() if line.startswith("f ")]
        self.assertEqual(len(faces), 16 * 24)
        for arguments, sentence in ((["--grid", "9x13"], "give the mesh they belong to with --mesh"),
                                    (["--mesh", self.folder / "none.obj"], "none.obj")):
            done = tulle("upscale", points, *arguments, "-o", self.folder / "no.pc2")
            self.assertEqual(done.returncode, 1)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_weights_are_found_from_any_folder(self):
        self.simulate()
        done = tulle("upscale", self.coarse, "-o", self.fine, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("miniature-general-x2-canonical.safetensors", done.stdout)

    def test_an_upscaled_simulation_that_is_resumed_has_the_same_bits(self):
        whole = self.folder / "whole.h5"
        method = ["--method", "bicubic", "--factor", 4]
        self.assertEqual(tulle("simulate", self.scene, *method, "--frames", 20, "-o", whole).returncode, 0)
        self.simulate(*method)
        done = tulle("simulate", self.scene, *method, "--frames", 20, "--resume", "-o", self.coarse)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(digest(whole), digest(self.coarse))
        done = tulle("simulate", self.scene, "--method", "bicubic", "--factor", 2, "--resume", "-o", self.coarse)
        self.assertEqual(done.returncode, 1)


if __name__ == "__main__":
    unittest.main(argv=["upscale_test.py"])
