# SPDX-License-Identifier: Apache-2.0
"""Draws docs/pictures/blender-drape.png: what Simulate with Tulle gives back. `docs/pictures/make blender` starts it."""
import pathlib
import sys

import bpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/blender"))
from support import ROOT, draw, install, simulate  # noqa: E402
import flag  # noqa: E402

ROWS = COLUMNS = 49
FRAMES = 30


def cloth_over_ball():
    flag.clear(end=FRAMES)
    cloth = flag.add_grid("Cloth", ROWS, COLUMNS)
    for vertex in cloth.data.vertices:
        vertex.co = (vertex.co.x - flag.WIDTH / 2, 1.5 * (vertex.co.z - flag.HEIGHT / 2), 0.36)
    cloth.tulle.fabric = "silk"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=0.35, segments=48, ring_count=24)
    bpy.context.object.modifiers.new("Collision", "COLLISION")
    bpy.ops.object.shade_smooth()
    bpy.context.object.color = (0.3, 0.4, 0.6, 1)
    bpy.ops.mesh.primitive_plane_add(size=3, location=(0, 0, -0.45))
    bpy.context.object.modifiers.new("Collision", "COLLISION")
    bpy.context.object.color = (0.9, 0.9, 0.9, 1)
    simulate(cloth).color = (0.9, 0.3, 0.22, 1)


def main():
    install()
    cloth_over_ball()
    bpy.ops.object.camera_add(location=(0, -3.2, 1.1), rotation=(1.2, 0, 0))
    bpy.context.scene.camera = bpy.context.object
    bpy.context.scene.frame_set(FRAMES)
    draw(ROOT / "docs/pictures/blender-drape.png", 640, 360)


main()
