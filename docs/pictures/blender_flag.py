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
from support import ROOT, draw, install, upscale  # noqa: E402
import flag  # noqa: E402

FRAMES, SHOWN_FRAME = 40, 34
ROWS, COLUMNS = (flag.ROWS + 1) // 2, (flag.COLUMNS + 1) // 2
SPACING = 1.75  # [m] between the flags of the picture


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
    order = flag.truth_vertices(flag.shown(flat))
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
    own = flag.truth_vertices(numpy.array([vertex.co for vertex in fine["automatic"].data.vertices]))
    compared = {"coarse": (linear, order), "subdivision surface": (smooth, order),
                "bicubic": (fine["bicubic"], own), "Tulle": (fine["automatic"], own)}
    errors = {name: 1000 * flag.distance(flag.played(each), truth, vertices)  # [mm]
              for name, (each, vertices) in compared.items()}
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


def main():
    addon = install()
    truth = flag.simulated_flag(FRAMES)
    with tempfile.TemporaryDirectory() as folder:
        set_stage(panels(truth, pathlib.Path(folder), addon))
        draw(ROOT / "docs/pictures/blender-flag.png", 1400, 340)


main()
