# SPDX-License-Identifier: Apache-2.0
"""What `tulle export` writes, imported by hand into Blender."""
import pathlib
import sys

import bpy
import h5py
import numpy
from mathutils import Matrix

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from support import ROOT, BlenderTest, choose, install, run  # noqa: E402
import flag  # noqa: E402

install()
numpy.bool = bool  # Debian's glTF importer is older than its NumPy, and asks for this name
FRAMES, RATE = 12, 50
THICKNESS = 0.01  # [m]


class ExportsTest(BlenderTest):
    def simulated(self):
        """A cloth in a cache of its own, and its positions."""
        self.tulle("simulate", ROOT / "scenes/cloth.toml", "--frames", FRAMES, "-o", "cloth.h5")
        flag.clear(0, FRAMES, RATE)
        with h5py.File(self.folder / "cloth.h5") as file:
            return file["positions"][...].astype(float)

    def imported_gltf(self):
        self.tulle("export", "cloth.h5", "--to", "gltf")
        bpy.ops.import_scene.gltf(filepath=str(self.folder / "cloth.glb"))
        return bpy.data.objects["Cloth"]

    def test_a_gltf_file_is_where_the_cache_says_on_every_frame(self):
        expected = self.simulated()
        self.assert_same_motion(flag.played(self.imported_gltf()), expected)

    def test_a_gltf_cloth_has_no_transform_so_that_solidify_is_as_thick_as_it_says(self):
        self.simulated()
        cloth = self.imported_gltf()
        self.assertEqual(cloth.matrix_world, Matrix.Identity(4))
        solidify = cloth.modifiers.new("Solidify", "SOLIDIFY")
        solidify.thickness = THICKNESS
        for frame in range(FRAMES + 1):
            bpy.context.scene.frame_set(frame)
            outer, inner = numpy.split(flag.shown(cloth), 2)
            thickness = numpy.linalg.norm(outer - inner, axis=1)
            self.assertLess(abs(thickness - THICKNESS).max(), 1e-5)

    def test_a_point_cache_drives_the_mesh_beside_it(self):
        expected = self.simulated()
        self.tulle("export", "cloth.h5", "--to", "pc2")
        bpy.ops.wm.obj_import(filepath=str(self.folder / "cloth.obj"))
        cloth = bpy.context.selected_objects[0]
        modifier = cloth.modifiers.new("Motion", "MESH_CACHE")
        modifier.cache_format, modifier.filepath, modifier.frame_start = "PC2", str(self.folder / "cloth.pc2"), 0
        self.assert_same_motion(flag.played(cloth), expected)

    def test_obj_files_of_blender_are_upscaled_and_come_back_where_they_were(self):
        expected = self.simulated()
        cloth = self.imported_gltf()
        choose(cloth)
        bpy.ops.wm.obj_export(filepath=str(self.folder / "coarse.obj"), export_animation=True, start_frame=0,
                              end_frame=FRAMES, export_selected_objects=True)
        self.tulle("upscale", "coarse*.obj", "--frame-rate", RATE, "-o", "fine.pc2")
        flag.clear(0, FRAMES, RATE)
        bpy.ops.wm.obj_import(filepath=str(self.folder / "fine.obj"))
        fine = bpy.context.selected_objects[0]
        modifier = fine.modifiers.new("Motion", "MESH_CACHE")
        modifier.cache_format, modifier.filepath, modifier.frame_start = "PC2", str(self.folder / "fine.pc2"), 0
        self.assert_same_motion(flag.played(fine)[:, :expected.shape[1]], expected)


run()
