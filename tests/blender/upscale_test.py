# SPDX-License-Identifier: Apache-2.0
"""Upscale with Tulle, inside Blender."""
import pathlib
import sys

import bpy
import h5py
import numpy
from mathutils import Euler, Matrix

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from support import BlenderTest, install, run, upscale  # noqa: E402
import flag  # noqa: E402

ADDON = install()
FRAMES = 25
TRUTH = flag.simulated_flag(FRAMES)
COARSE = flag.coarse_part(TRUTH)
ROWS, COLUMNS = (flag.ROWS + 1) // 2, (flag.COLUMNS + 1) // 2
PLACED = Matrix.Translation((1, -2, 0.5)) @ Euler((0.3, 1.1, -0.7)).to_matrix().to_4x4() @ Matrix.Diagonal((2, 0.5, 1.5, 1))


class UpscaleTest(BlenderTest):
    def coarse_flag(self, start=1):
        flag.clear(start, start + FRAMES - 1)
        cloth = flag.add_grid("Flag", ROWS, COLUMNS)
        flag.animate(cloth, COARSE, self.folder / "motion.pc2", ADDON)
        return cloth

    def cache_of_tulle(self, cloth, *options):
        """The same by hand: what `tulle upscale` writes into a cache of its own."""
        motion = flag.played(cloth)
        with ADDON.Pc2Writer(self.folder / "coarse.pc2", motion.shape[1], len(motion)) as cache:
            for frame in motion:
                cache.append(frame)
        matrix = numpy.array(cloth.matrix_world)
        rest = numpy.array([vertex.co for vertex in cloth.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
        faces = [list(face.vertices) for face in cloth.data.polygons]
        ADDON.write_obj(self.folder / "coarse.obj", rest, faces)
        self.tulle("upscale", "coarse.pc2", "--mesh", "coarse.obj", "--up", "z", *options, "-o", "fine.h5")
        with h5py.File(self.folder / "fine.h5") as file:
            return file["positions"][...].astype(float)

    def test_the_new_object_is_where_the_cache_says_on_every_frame(self):
        cloth = self.coarse_flag()
        expected = self.cache_of_tulle(cloth)
        shown = flag.played(upscale(cloth))
        self.assert_same_motion(shown, expected)
        self.assert_same_motion(shown[:, :ROWS * COLUMNS], COARSE)
        self.assertEqual(shown.shape[1], flag.ROWS * flag.COLUMNS)

    def test_it_is_there_too_if_the_cloth_is_turned_moved_and_scaled(self):
        cloth = self.coarse_flag()
        cloth.matrix_world = PLACED
        expected = self.cache_of_tulle(cloth)
        result = upscale(cloth)
        self.assertLess(abs(numpy.array(result.matrix_world) - numpy.array(PLACED)).max(), 1e-5)
        self.assert_same_motion(flag.played(result), expected)

    def test_a_parent_that_moves_carries_the_cloth_but_not_the_new_object(self):
        cloth = self.coarse_flag(start=11)
        parent = bpy.data.objects.new("Carrier", None)
        bpy.context.scene.collection.objects.link(parent)
        cloth.parent = parent
        for frame, place, angle in ((11, (0, 0, 0), 0), (30, (0, 3, 1), 2)):
            parent.location, parent.rotation_euler = place, (0, 0, angle)
            parent.keyframe_insert("location", frame=frame)
            parent.keyframe_insert("rotation_euler", frame=frame)
        carried = flag.played(cloth)
        result = upscale(cloth)
        self.assertIsNone(result.parent)
        self.assert_same_motion(flag.played(result)[:, :ROWS * COLUMNS], carried)

    def test_a_scene_in_centimetres_comes_back_in_centimetres(self):
        cloth = self.coarse_flag()
        cloth.scale = (100, 100, 100)
        bpy.context.scene.unit_settings.scale_length = 0.01
        self.addCleanup(setattr, bpy.context.scene.unit_settings, "scale_length", 1)
        shown = flag.played(upscale(cloth))
        self.assert_same_motion(shown[:, :ROWS * COLUMNS] / 100, COARSE)

    def test_uvs_materials_shading_frames_and_rate_are_kept(self):
        cloth = self.coarse_flag(start=101)
        bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
        bpy.context.scene.frame_set(110)
        result = upscale(cloth)
        scene = bpy.context.scene
        self.assertEqual((scene.frame_start, scene.frame_end, scene.frame_current), (101, 100 + FRAMES, 110))
        self.assertEqual(scene.render.fps, 30)
        self.assertEqual(result.modifiers["Tulle"].frame_start, 101)
        self.assert_same_motion(flag.played(result)[:, :ROWS * COLUMNS], COARSE)
        mesh = result.data
        self.assertEqual([material.name for material in mesh.materials], ["Red", "White"])
        self.assertEqual(mesh.uv_layers.keys(), ["Pattern"])
        for face in mesh.polygons:
            uvs = numpy.array([mesh.uv_layers["Pattern"].data[i].uv for i in face.loop_indices])
            rest = numpy.array([mesh.vertices[v].co for v in face.vertices])
            self.assertLess(abs(uvs - rest[:, [0, 2]] / (flag.WIDTH, flag.HEIGHT)).max(), 1e-5)
            self.assertEqual(face.material_index, int(uvs[:, 1].mean() < 0.5))
            self.assertTrue(face.use_smooth)

    def test_every_uv_layer_is_kept_also_across_seams(self):
        cloth = self.coarse_flag()
        second = cloth.data.uv_layers.new(name="Islands").data
        for face in cloth.data.polygons:
            for i in face.loop_indices:
                second[i].uv = cloth.data.uv_layers["Pattern"].data[i].uv
                if face.index % (COLUMNS - 1) >= 10:
                    second[i].uv.x += 5
        mesh = upscale(cloth).data
        self.assertEqual(mesh.uv_layers.keys(), ["Pattern", "Islands"])
        self.assertEqual(mesh.uv_layers.active.name, cloth.data.uv_layers.active.name)
        seam = 10 / (COLUMNS - 1)
        for face in mesh.polygons:
            uvs = numpy.array([[layer.data[i].uv for i in face.loop_indices] for layer in mesh.uv_layers])
            moved = 5 if uvs[0, :, 0].mean() > seam else 0
            self.assertLess(abs(uvs[1] - uvs[0] - (moved, 0)).max(), 1e-5)

    def test_any_order_of_vertices_is_kept(self):
        cloth = self.coarse_flag()
        order = numpy.random.default_rng(1).permutation(ROWS * COLUMNS)
        shuffled = bpy.data.meshes.new("Shuffled")
        place = numpy.argsort(order)
        shuffled.from_pydata([cloth.data.vertices[v].co for v in order], [],
                             [[int(place[v]) for v in face.vertices] for face in cloth.data.polygons])
        cloth.data = shuffled
        cloth.modifiers.clear()
        flag.animate(cloth, COARSE[:, order], self.folder / "shuffled.pc2", ADDON)
        result = upscale(cloth)
        self.assertEqual(len(result.data.vertices), flag.ROWS * flag.COLUMNS)
        self.assert_same_motion(flag.played(result)[:, :ROWS * COLUMNS], COARSE[:, order])

    def test_the_fine_flag_is_nearer_to_the_truth_than_interpolation(self):
        cloth = self.coarse_flag()
        errors = {}
        for method in ("automatic", "bicubic", "bilinear"):
            cloth.hide_set(False)
            cloth.tulle.method = method
            result = upscale(cloth)
            rest = numpy.array([vertex.co for vertex in result.data.vertices])
            errors[method] = flag.distance(flag.played(result), TRUTH, flag.truth_vertices(rest))
        self.assertLess(errors["automatic"], errors["bicubic"])
        self.assertLess(errors["bicubic"], errors["bilinear"])

    def test_what_refines_the_cloth_afterwards_is_left_out_and_comes_back(self):
        cloth = self.coarse_flag()
        cloth.modifiers.clear()
        flag.pin_first_column(cloth, ROWS, COLUMNS)
        cloth.modifiers.new("Cloth", "CLOTH").settings.vertex_group_mass = "Pole"
        cloth.modifiers.new("Smooth", "SUBSURF")
        result = upscale(cloth)
        self.assertEqual(len(result.data.vertices), flag.ROWS * flag.COLUMNS)
        self.assertTrue(cloth.modifiers["Smooth"].show_viewport)

    def test_the_cache_lies_beside_the_file_and_an_older_one_is_kept(self):
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "work.blend"))
        cloth = self.coarse_flag()
        bpy.data.objects.remove(upscale(cloth))  # so that its name is free again
        cloth.hide_set(False)
        result = upscale(cloth)
        caches = sorted(path.name for path in (self.folder / "tulle_work").iterdir())
        self.assertEqual(caches, ["Flag_upscaled-1.pc2", "Flag_upscaled-2.pc2"])
        self.assertTrue(result.modifiers["Tulle"].filepath.startswith("//tulle_work"))
        self.assert_same_motion(flag.played(result)[:, :ROWS * COLUMNS], COARSE)

    def test_triangles_that_are_no_grid_are_upscaled_too(self):
        cloth = self.coarse_flag()
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2)
        ball = bpy.context.object
        cloth.hide_set(True)
        ball.tulle.factor = 4
        result = upscale(ball)
        self.assertGreater(len(result.data.polygons), 10 * len(ball.data.polygons))


run()
