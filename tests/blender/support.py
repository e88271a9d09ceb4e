# SPDX-License-Identifier: Apache-2.0
"""What the tests inside Blender share. `./dev blender` starts them: blender -b -P TEST -- build/tulle"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import bpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/blender"))
ARGUMENTS = sys.argv[sys.argv.index("--") + 1:] if "--" in sys.argv else []
PROGRAM = pathlib.Path(ARGUMENTS[0] if ARGUMENTS else ROOT / "build/tulle").resolve()
import flag  # noqa: E402


def install():
    """The add-on, as a person installs it; returns its module."""
    bpy.ops.preferences.addon_install(filepath=str(ROOT / "extras/blender/tulle_blender.py"))
    bpy.ops.preferences.addon_enable(module="tulle_blender")
    preferences().program = str(PROGRAM)
    preferences().models = str(ROOT / "models")
    return sys.modules["tulle_blender"]


def preferences():
    return bpy.context.preferences.addons["tulle_blender"].preferences


class BlenderTest(unittest.TestCase):
    """Each test has a folder and an empty scene."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        preferences().program = str(PROGRAM)
        flag.clear()

    def tulle(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, TULLE_MODELS=str(ROOT / "models")))
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_same_motion(self, ours, theirs):
        self.assertEqual(ours.shape, theirs.shape)
        self.assertLess(abs(ours - theirs).max(), 1e-5)  # [m]

    def assert_refused(self, operator, sentence):
        """The sentence is what Blender shows, and nothing is left behind."""
        before = everything()
        with self.assertRaisesRegex(RuntimeError, sentence):
            operator()
        self.assertEqual(everything(), before)


def everything():
    """What a job that ends early must not change."""
    leftovers = sorted(path.name for path in pathlib.Path(tempfile.gettempdir()).glob("tulle-*"))
    return sorted(bpy.data.objects.keys()), sorted(bpy.data.meshes.keys()), bpy.context.scene.frame_current, leftovers


def choose(each):
    """As a click on it does."""
    for other in bpy.context.selected_objects:
        other.select_set(False)
    each.select_set(True)
    bpy.context.view_layer.objects.active = each


def upscale(cloth):
    choose(cloth)
    bpy.ops.tulle.upscale()
    return bpy.context.object


def simulate(cloth):
    choose(cloth)
    bpy.ops.tulle.simulate()
    return bpy.context.object


def draw(path, width, height):
    """A picture of the scene in the colours of its objects, on white."""
    scene = bpy.context.scene
    scene.render.engine = "BLENDER_WORKBENCH"
    scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = width, height, 100
    scene.display.render_aa = "16"
    scene.display.shading.light, scene.display.shading.color_type = "STUDIO", "OBJECT"
    scene.display.shading.show_cavity = True
    scene.world.color = (1, 1, 1)
    scene.view_settings.view_transform = "Standard"
    image = scene.render.image_settings
    image.file_format, image.color_mode, image.compression = "PNG", "RGB", 100
    scene.render.filepath = str(path)
    bpy.ops.render.render(write_still=True)


def run():
    result = unittest.main(module="__main__", argv=sys.argv[:1], exit=False, verbosity=2).result
    sys.stdout.flush()
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
