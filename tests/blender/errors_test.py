# SPDX-License-Identifier: Apache-2.0
"""What Blender shows when something is wrong, and what a cancelled job leaves behind."""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from support import PROGRAM, ROOT, BlenderTest, choose, everything, install, preferences, run  # noqa: E402
import flag  # noqa: E402

ADDON = install()


class ErrorsTest(BlenderTest):
    def setUp(self):
        super().setUp()
        self.cloth = flag.add_grid("Flag", 9, 13)
        choose(self.cloth)

    def test_a_missing_program_says_where_to_set_its_path(self):
        preferences().program = "/no/such/tulle"
        sentence = "'/no/such/tulle' was not found; set its path in Edit > Preferences > Add-ons > Tulle"
        for operator in (bpy.ops.tulle.upscale, bpy.ops.tulle.simulate, bpy.ops.tulle.test_program):
            self.assert_refused(operator, sentence)

    def test_the_test_button_knows_tulle_from_other_programs(self):
        self.assertEqual(bpy.ops.tulle.test_program(), {"FINISHED"})
        preferences().program = "/bin/true"
        self.assert_refused(bpy.ops.tulle.test_program, "is not the program tulle")

    def test_the_add_on_can_be_switched_off_and_on_again(self):
        bpy.ops.preferences.addon_disable(module="tulle_blender")
        self.assertFalse(hasattr(self.cloth, "tulle"))
        bpy.ops.preferences.addon_enable(module="tulle_blender")
        self.assertEqual(self.cloth.tulle.factor, 2)
        preferences().models = str(ROOT / "models")

    def test_a_refusal_of_tulle_is_shown_in_its_own_words(self):
        self.cloth.tulle.factor = 7
        self.assert_refused(bpy.ops.tulle.upscale, "Error: there are no weights .* 'Flag' at factor 7")

    def test_an_open_collider_that_is_not_flat_is_refused(self):
        wall = flag.add_grid("Wall", 3, 3)
        wall.data.vertices[4].co.y = 0.5
        wall.modifiers.new("Collision", "COLLISION")
        self.assert_refused(bpy.ops.tulle.simulate, "^Error: collider 'Wall': the collider mesh is open at the edge")

    def test_a_result_that_cannot_be_written_leaves_no_object(self):
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "work.blend"))
        (self.folder / "tulle_work").write_text("a file, where the folder should be")
        for operator in (bpy.ops.tulle.upscale, bpy.ops.tulle.simulate):
            self.assert_refused(operator, "tulle_work' cannot be used: File exists; make room there")

    def test_a_mesh_without_faces_is_refused(self):
        points = bpy.data.meshes.new("Points")
        points.from_pydata([(0, 0, 0), (1, 0, 0)], [(0, 1)], [])
        self.cloth.data = points
        for operator in (bpy.ops.tulle.upscale, bpy.ops.tulle.simulate):
            self.assert_refused(operator, "'Flag' has no faces; choose a mesh")

    def test_a_cloth_whose_vertices_change_in_number_is_refused(self):
        growing = self.cloth.modifiers.new("Growing", "BUILD")
        growing.frame_start, growing.frame_duration = -10, 40
        self.assert_refused(bpy.ops.tulle.upscale, "vertices at frame .* leave out the modifier that changes them")

    def test_a_scene_of_one_frame_is_refused(self):
        bpy.context.scene.frame_end = bpy.context.scene.frame_start
        self.assert_refused(bpy.ops.tulle.upscale, "the scene has one frame only")

    def test_a_cloth_scaled_to_nothing_is_refused(self):
        self.cloth.scale = (1, 1, 0)
        for operator in (bpy.ops.tulle.upscale, bpy.ops.tulle.simulate):
            self.assert_refused(operator, "scaled to nothing along an axis")

    def test_pins_that_are_not_there_are_refused(self):
        self.cloth.tulle.pin_group = "Hooks"
        self.assert_refused(bpy.ops.tulle.simulate, "has no vertex group 'Hooks'")
        self.cloth.vertex_groups.new(name="Hooks")
        self.assert_refused(bpy.ops.tulle.simulate, "no vertex of 'Flag' has a weight above 0.5 in the group 'Hooks'")

    def test_a_hidden_cloth_or_one_being_edited_cannot_be_chosen(self):
        self.cloth.hide_set(True)
        self.assertFalse(bpy.ops.tulle.upscale.poll())
        self.cloth.hide_set(False)
        self.assertTrue(bpy.ops.tulle.upscale.poll())
        bpy.ops.object.mode_set(mode="EDIT")
        self.assertFalse(bpy.ops.tulle.upscale.poll())
        bpy.ops.object.mode_set(mode="OBJECT")


class CancelTest(BlenderTest):
    def setUp(self):
        super().setUp()
        self.cloth = flag.add_grid("Flag", 33, 49)
        flag.pin_first_column(self.cloth, 33, 49)
        self.cloth.tulle.pin_group = "Pole"
        bpy.context.scene.frame_end = 200
        bpy.context.scene.frame_set(7)

    def steps(self, job):
        return job(bpy.context, "Flag", str(PROGRAM), str(ROOT / "models"))

    def test_closing_a_job_while_it_bakes_leaves_nothing(self):
        before = everything()
        for job in (ADDON.upscale_steps, ADDON.simulate_steps):
            steps = self.steps(job)
            for _ in range(5):
                self.assertIn("baking", next(steps)[1])
            steps.close()
            self.assertEqual(everything(), before)

    def test_closing_a_job_while_tulle_runs_kills_it_and_leaves_nothing(self):
        before = everything()
        for job in (ADDON.upscale_steps, ADDON.simulate_steps):
            steps = self.steps(job)
            while "baking" in next(steps)[1]:
                pass
            process = steps.gi_yieldfrom.gi_frame.f_locals["run"].process
            self.assertIsNone(process.poll())
            steps.close()
            self.assertLess(process.poll(), 0)
            self.assertEqual(everything(), before)

    def test_a_cloth_that_is_deleted_meanwhile_ends_the_job_in_a_sentence(self):
        steps = self.steps(ADDON.upscale_steps)
        next(steps)
        bpy.data.objects.remove(self.cloth)
        with self.assertRaisesRegex(ADDON.TulleError, "'Flag' is gone"):
            next(steps)


run()
