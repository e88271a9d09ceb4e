#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The half of the Blender add-on that needs no Blender: files, scenes and the program in its own process."""
import pathlib
import sys
import tempfile
import tomllib
import unittest

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/tulle").resolve()
sys.path.insert(0, str(ROOT / "extras/blender"))
import tulle_blender as addon  # noqa: E402

SQUARE = numpy.array([[0, 0, 0], [1, 0, 0], [1, 0, 0.1], [0, 0, 1 / 3]])

SCENE = """
name = "simulating"
[time]
frame_rate = 25
frames = {frames}
[cloth]
fabric = "cotton"
rows = 40
columns = 40
"""


class FolderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)


class FilesTest(FolderTest):
    def test_a_mesh_is_read_back_as_it_was_written(self):
        faces = [[0, 1, 2, 3], [3, 2, 1]]
        addon.write_obj(self.folder / "mesh.obj", SQUARE, faces)
        positions, read_faces = addon.read_obj(self.folder / "mesh.obj")
        self.assertLess(abs(positions - SQUARE).max(), 1e-9)
        self.assertEqual(read_faces, faces)

    def test_corners_share_texture_coordinates_but_seams_have_two(self):
        uvs = [[(0, 0), (1, 0), (1, 1)], [(0, 0), (1, 1), (0.5, 0)]]
        addon.write_obj(self.folder / "mesh.obj", SQUARE, [[0, 1, 2], [0, 2, 3]], uvs)
        lines = (self.folder / "mesh.obj").read_text().splitlines()
        self.assertEqual([line for line in lines if line.startswith("vt")], ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0.5 0"])
        self.assertEqual([line for line in lines if line.startswith("f")], ["f 1/1 2/2 3/3", "f 1/1 3/3 4/4"])

    def test_a_point_cache_is_read_back_as_it_was_written(self):
        frames = numpy.arange(24).reshape(2, 4, 3)
        with addon.Pc2Writer(self.folder / "points.pc2", 4, 2) as cache:
            for frame in frames:
                cache.append(frame)
        self.assertTrue((addon.read_pc2(self.folder / "points.pc2") == frames).all())
        self.assertEqual((self.folder / "points.pc2").stat().st_size, 32 + frames.size * 4)

    def test_half_a_point_cache_never_has_its_name(self):
        with self.assertRaises(RuntimeError), addon.Pc2Writer(self.folder / "points.pc2", 4, 2) as cache:
            cache.append(SQUARE)
            raise RuntimeError("the power fails")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_is_no_point_cache_is_refused(self):
        (self.folder / "points.pc2").write_text("o mesh")
        with self.assertRaisesRegex(addon.TulleError, "is not a point cache"):
            addon.read_pc2(self.folder / "points.pc2")

    def test_names_of_blender_become_plain_names_that_differ(self):
        self.assertEqual(addon.plain_names(["Ball", "Table top", "Table.top", "Ähre"]),
                         ["Ball", "Table_top-1", "Table_top-2", "_hre"])


class PinsTest(unittest.TestCase):
    def sections(self, motion):
        return tomllib.loads("\n".join(addon.pin_sections([4, 7], numpy.array(motion, float), 25))).get("pins", [])

    def test_pins_that_stand_still_are_one_group_without_motion(self):
        self.assertEqual(self.sections([[[0, 0, 0], [1, 0, 0]]] * 3), [{"vertices": [4, 7]}])

    def test_pins_that_move_alike_are_one_group(self):
        group, = self.sections([[[0, 0, 0], [1, 0, 0]], [[0, 0, 2], [1, 0, 2]]])
        self.assertEqual(group["vertices"], [4, 7])
        self.assertEqual(group["motion"]["keyframes"], [{"time": 0, "translation": [0, 0, 0]},
                                                        {"time": 0.04, "translation": [0, 0, 2]}])

    def test_pins_that_move_differently_have_a_group_each(self):
        still, moved = self.sections([[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [1, 3, 0]]])
        self.assertEqual(still, {"vertices": [4]})
        self.assertEqual(moved["motion"]["keyframes"][1], {"time": 0.04, "translation": [0, 3, 0]})

    def test_a_cloth_without_pins_has_no_group(self):
        self.assertEqual(addon.pin_sections([], numpy.zeros((2, 0, 3)), 25), [])


class ProgramTest(FolderTest):
    def steps(self, frames, name="scene.toml"):
        (self.folder / "scene.toml").write_text(SCENE.format(frames=frames))
        return addon.run_steps([PROGRAM, "simulate", name, "-o", "cloth.h5", "--export", "pc2"], self.folder, "")

    def test_the_program_runs_while_its_progress_is_told(self):
        told = list(self.steps(300))
        fractions = [fraction for fraction, task in told if task == "simulating"]
        self.assertGreater(len(fractions), 0)
        self.assertEqual(fractions, sorted(fractions))
        self.assertEqual(addon.read_pc2(self.folder / "cloth.pc2").shape, (301, 1600, 3))

    def test_closing_the_steps_kills_the_program(self):
        steps = self.steps(1_000_000)
        next(steps)
        process = steps.gi_frame.f_locals["run"].process
        self.assertIsNone(process.poll())
        steps.close()
        self.assertLess(process.poll(), 0)

    def test_an_error_is_the_sentence_of_the_program(self):
        with self.assertRaisesRegex(addon.TulleError, "^cannot .*missing.toml|^'?missing.toml"):
            list(self.steps(1, "missing.toml"))

    def test_a_program_that_is_missing_or_another_one_is_said_to_be_so(self):
        with self.assertRaisesRegex(addon.TulleError, "'no-such-tulle' was not found; set its path"):
            addon.find_program("no-such-tulle")
        with self.assertRaisesRegex(addon.TulleError, "is not the program tulle"):
            addon.program_version("true")
        self.assertRegex(addon.program_version(str(PROGRAM)), r"^tulle \d+\.\d+")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
