# SPDX-License-Identifier: Apache-2.0
"""Simulate with Tulle, inside Blender."""
import pathlib
import sys

import bpy
import h5py
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from support import BlenderTest, install, run, simulate  # noqa: E402
import flag  # noqa: E402

ADDON = install()
ROWS, COLUMNS = 13, 17
FRAMES = 20

PINNED_SCENE = """
[time]
frame_rate = 25
frames = 19
[cloth]
kind = "mesh"
file = "cloth.obj"
fabric = "silk"
start.file = "cloth.obj"
[wind]
velocity = [2, 1, 0]
[self_contact]
enabled = true
[[pins]]
vertices = [0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204]
"""


class SimulateTest(BlenderTest):
    def setUp(self):
        super().setUp()
        bpy.context.scene.frame_end = FRAMES

    def hanging_cloth(self):
        cloth = flag.add_grid("Cloth", ROWS, COLUMNS)
        flag.pin_first_column(cloth, ROWS, COLUMNS)
        cloth.tulle.pin_group = "Pole"
        return cloth

    def lying_cloth(self, height):
        cloth = flag.add_grid("Cloth", ROWS, COLUMNS)
        for vertex in cloth.data.vertices:
            vertex.co = (vertex.co.x - flag.WIDTH / 2, vertex.co.z - flag.HEIGHT / 2, height)
        return cloth

    def collider(self, name="Ball"):
        bpy.context.object.name = name
        bpy.context.object.modifiers.new("Collision", "COLLISION")
        return bpy.context.object

    def test_a_pinned_cloth_is_where_the_cache_of_tulle_says_on_every_frame(self):
        cloth = self.hanging_cloth()
        cloth.location, cloth.rotation_euler = (1, 2, 3), (0.2, -0.4, 1)
        cloth.tulle.fabric, cloth.tulle.wind = "silk", (2, 1, 0)
        bpy.context.view_layer.update()
        matrix = numpy.array(cloth.matrix_world)
        points = numpy.array([vertex.co for vertex in cloth.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
        ADDON.write_obj(self.folder / "cloth.obj", points, ADDON.loop_triangles(cloth.data))
        (self.folder / "scene.toml").write_text(PINNED_SCENE)
        self.tulle("simulate", "scene.toml", "-o", "cloth.h5")
        with h5py.File(self.folder / "cloth.h5") as file:
            expected = file["positions"][...].astype(float)
        result = simulate(cloth)
        shown = flag.played(result)
        self.assert_same_motion(shown, expected)
        pins = shown[:, ::COLUMNS]
        self.assertLess(abs(pins - pins[0]).max(), 1e-5)
        self.assertGreater(abs(shown[-1] - shown[0]).max(), 0.1)
        self.assertEqual([material.name for material in result.data.materials], ["Red", "White"])
        self.assertEqual(result.data.uv_layers.keys(), ["Pattern"])
        self.assertEqual(result.vertex_groups.keys(), ["Pole"])
        self.assertEqual(result.modifiers["Tulle"].frame_start, bpy.context.scene.frame_start)

    def test_pins_follow_the_animation(self):
        cloth = self.hanging_cloth()
        cloth.keyframe_insert("location", frame=1)
        cloth.keyframe_insert("rotation_euler", frame=1)
        cloth.location, cloth.rotation_euler = (0.2, 0.1, 0), (0, 0.2, 0.3)
        cloth.keyframe_insert("location", frame=FRAMES)
        cloth.keyframe_insert("rotation_euler", frame=FRAMES)
        animated = flag.played(cloth)
        shown = flag.played(simulate(cloth))
        self.assert_same_motion(shown[:, ::COLUMNS], animated[:, ::COLUMNS])
        self.assertGreater(abs(shown[-1] - animated[-1]).max(), 0.05)

    def test_the_pin_group_of_blenders_own_cloth_is_taken_without_another(self):
        cloth = self.hanging_cloth()
        cloth.tulle.pin_group, cloth.tulle.wind = "", (0, 2, 0)
        cloth.modifiers.new("Cloth", "CLOTH").settings.vertex_group_mass = "Pole"
        shown = flag.played(simulate(cloth))
        self.assertLess(abs(shown[:, ::COLUMNS] - shown[0, ::COLUMNS]).max(), 1e-5)
        self.assertGreater(abs(shown[-1] - shown[0]).max(), 0.1)

    def test_a_still_collider_holds_the_cloth(self):
        cloth = self.lying_cloth(0.55)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.5, segments=48, ring_count=24)
        self.collider()
        shown = flag.played(simulate(cloth))
        self.assertGreater(numpy.linalg.norm(shown, axis=2).min(), 0.49)
        self.assertLess(shown[-1, :, 2].min(), 0.3)

    def test_a_collider_that_deforms_carries_the_cloth(self):
        cloth = self.lying_cloth(0.32)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.3, segments=32, ring_count=16)
        ball = self.collider()
        ball.shape_key_add(name="Small")
        large = ball.shape_key_add(name="Large")
        for point in large.data:
            point.co *= 1.5
        for frame, value in ((1, 0), (FRAMES, 1)):
            large.value = value
            large.keyframe_insert("value", frame=frame)
        radii = [numpy.linalg.norm(points, axis=1).max() for points in flag.played(ball)]
        self.assertGreater(radii[-1], 0.44)
        shown = flag.played(simulate(cloth))
        for points, radius in zip(shown, radii):
            self.assertGreater(numpy.linalg.norm(points, axis=1).min(), radius - 0.01)
        self.assertGreater(shown[-1, :, 2].max(), 0.44)

    def test_a_plane_is_a_floor(self):
        cloth = self.lying_cloth(0.1)
        bpy.ops.mesh.primitive_plane_add(size=10)
        self.collider("Floor")
        shown = flag.played(simulate(cloth))
        self.assertGreater(shown[..., 2].min(), 0.004)
        self.assertLess(shown[-1, :, 2].max(), 0.05)

    def test_only_the_chosen_collection_is_met(self):
        cloth = self.lying_cloth(0.1)
        bpy.ops.mesh.primitive_plane_add(size=10)
        self.collider("Floor")
        chosen = bpy.data.collections.new("Met")
        bpy.context.scene.collection.children.link(chosen)
        cloth.tulle.colliders = chosen
        self.assertLess(flag.played(simulate(cloth))[-1, :, 2].max(), -0.5)

    def test_a_cloth_that_others_collide_with_does_not_collide_with_itself(self):
        cloth = self.lying_cloth(1)
        cloth.modifiers.new("Collision", "COLLISION")
        self.assertLess(flag.played(simulate(cloth))[-1, :, 2].max(), 0.5)

    def test_gravity_is_that_of_the_scene(self):
        cloth = self.lying_cloth(1)
        bpy.context.scene.use_gravity = False
        self.addCleanup(setattr, bpy.context.scene, "use_gravity", True)
        shown = flag.played(simulate(cloth))
        self.assertLess(abs(shown - shown[0]).max(), 1e-3)

    def test_the_rest_shape_is_the_mesh_and_the_start_is_what_is_shown(self):
        cloth = self.lying_cloth(1)
        squeezed = cloth.modifiers.new("Squeeze", "SIMPLE_DEFORM")
        squeezed.deform_method, squeezed.angle, squeezed.deform_axis = "BEND", 1.5, "X"
        start = flag.played(cloth)[0]
        shown = flag.played(simulate(cloth))
        self.assertLess(abs(shown[0] - start).max(), 1e-5)
        edge = numpy.linalg.norm(numpy.diff(cloth_row(shown[-1]), axis=0), axis=1)
        self.assertLess(abs(edge / (flag.WIDTH / (COLUMNS - 1)) - 1).max(), 0.03)


def cloth_row(points):
    return points[6 * COLUMNS:7 * COLUMNS]


run()
