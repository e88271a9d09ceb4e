# SPDX-License-Identifier: Apache-2.0
"""Measures a flag of Blender's own cloth, from every second vertex, against itself; draws docs/pictures/blender-flag.png.

`docs/pictures/make blender` starts it. Distances are means over all vertices and frames.
"""
import pathlib
import sys
import tempfile

import bpy
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tests/blender"))
from support import ROOT, install, upscale  # noqa: E402
import flag  # noqa: E402

FRAMES, SHOWN_FRAME = 40, 34
ROWS, COLUMNS = (flag.ROWS + 1) // 2, (flag.COLUMNS + 1) // 2
SPACING = 1.75  # [m] between the flags of the picture


def fine_vertices(rest):
    """Which vertex of the truth each one is, by where it is in the flat flag."""
    columns = numpy.rint(rest[:, 0] / flag.WIDTH * (flag.COLUMNS - 1)).astype(int)
    rows = numpy.rint((1 - rest[:, 2] / flag.HEIGHT) * (flag.ROWS - 1)).astype(int)
    return rows * flag.COLUMNS + columns


def distance(motion, order, truth):
    """[mm]"""
    return 1000 * numpy.linalg.norm(motion - truth[:, order], axis=2).mean()


def subdivided(cloth, kind):
    """The cloth with a subdivision surface of one level after its motion."""
    twin = cloth.copy()
    bpy.context.scene.collection.objects.link(twin)
    surface = twin.modifiers.new("Subdivision", "SUBSURF")
    surface.subdivision_type, surface.levels, surface.render_levels = kind, 1, 1
    return twin


def flat_order(cloth):
    """Where a subdivision puts the vertices of the truth."""
    flat = subdivided(cloth, "SIMPLE")
    flat.modifiers.remove(flat.modifiers["Motion"])
    order = fine_vertices(flag.shown(flat))
    bpy.data.objects.remove(flat)
    return order


def panels(truth, folder, addon):
    """Objects of the picture from left to right, each with its label."""
    cloth = flag.add_grid("Coarse", ROWS, COLUMNS)
    flag.animate(cloth, flag.coarse_part(truth), folder / "coarse.pc2", addon)
    cloth.tulle.hide_original = False
    order = flat_order(cloth)
    linear, smooth = subdivided(cloth, "SIMPLE"), subdivided(cloth, "CATMULL_CLARK")
    fine = {}
    for method in ("bicubic", "automatic"):
        cloth.tulle.method = method
        fine[method] = upscale(cloth)
    exact = flag.add_grid("Truth", flag.ROWS, flag.COLUMNS)
    flag.animate(exact, truth, folder / "truth.pc2", addon)
    own = fine_vertices(numpy.array([vertex.co for vertex in fine["automatic"].data.vertices]))
    errors = {"coarse": distance(flag.played(linear), order, truth),
              "subdivision surface": distance(flag.played(smooth), order, truth),
              "bicubic": distance(flag.played(fine["bicubic"]), own, truth),
              "Tulle": distance(flag.played(fine["automatic"]), own, truth)}
    for name, error in errors.items():
        print(f"{name}: {error:.2f} mm from the truth")
    bpy.data.objects.remove(linear)
    bpy.data.objects.remove(fine["bicubic"])
    shown = {"coarse": cloth, "subdivision surface": smooth, "Tulle": fine["automatic"]}
    return [(each, f"{name}: {errors[name]:.1f} mm") for name, each in shown.items()] + [(exact, "Blender's fine simulation")]


def set_stage(panels):
    """Side by side, seen from the front."""
    for i, (each, label) in enumerate(panels):
        each.location.x += i * SPACING
        each.color = (0.9, 0.3, 0.22, 1)
        bpy.ops.object.text_add(location=(i * SPACING + 0.7, -0.6, -0.3), rotation=(1.5708, 0, 0))
        text = bpy.context.object
        text.data.body, text.data.size, text.data.align_x = label, 0.13, "CENTER"
        text.color = (0, 0, 0, 1)
    bpy.ops.object.camera_add(location=(1.5 * SPACING + 0.7, -9, 0.4), rotation=(1.5708, 0, 0))
    camera = bpy.context.object
    camera.data.type, camera.data.ortho_scale = "ORTHO", 4 * SPACING
    scene = bpy.context.scene
    scene.camera = camera
    scene.frame_set(SHOWN_FRAME)


def draw(path):
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 1400, 340, 100
    scene.display.render_aa = "16"
    scene.display.shading.light, scene.display.shading.color_type = "STUDIO", "OBJECT"
    scene.display.shading.show_cavity = True
    scene.world.color = (1, 1, 1)
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format, scene.render.image_settings.compression = "PNG", 100
    scene.render.image_settings.color_mode = "RGB"
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def main():
    addon = install()
    truth = flag.simulated_flag(FRAMES)
    with tempfile.TemporaryDirectory() as folder:
        set_stage(panels(truth, pathlib.Path(folder), addon))
        draw(ROOT / "docs/pictures/blender-flag.png")


main()
