#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A mesh as an artist draws it, of quads and triangles with a texture seam, simulated, upscaled and exported."""
import json
import struct
import unittest

import numpy

from support import SmallSceneTest, frames_of, tulle

SCENE = """
up_axis = "y"
[time]
frame_rate = 24
frames = 12
[cloth]
kind = "mesh"
file = "cross.obj"
fabric = "cotton"
[[pins]]
vertices = [0, 3]
[[colliders]]
shape = "mesh"
name = "stone"
file = "stone.obj"
[[colliders]]
shape = "deforming"
name = "heart"
files = "heart_%04d.obj"
frame_rate = 24
"""


def cross():
    """Quads in the shape of a cross, no grid, with a triangle at one end; vertices in any order."""
    cells = [(x, z) for x in range(9) for z in range(9) if 3 <= x < 6 or 3 <= z < 6]
    places = sorted({(x + i, z + k) for x, z in cells for i in (0, 1) for k in (0, 1)})
    numpy.random.default_rng(2).shuffle(places)
    number = {tuple(place): v + 1 for v, place in enumerate(places)}
    lines = ["v %r 1 %r" % (0.1 * x, 0.1 * z) for x, z in places] + ["v 0.95 1 0.35"]
    lines += ["vt %r %r" % (x / 20, z / 10) for x, z in places] + ["vt 0.5 0.35"]
    lines += ["vt %r %r" % (0.5 + x / 20, z / 10) for x, z in places]  # the other side of the seam
    for x, z in cells:
        corners = [number[x, z], number[x, z + 1], number[x + 1, z + 1], number[x + 1, z]]
        shift = len(places) + 1 if x >= 4 else 0
        lines.append("f " + " ".join(f"{v}/{v + shift}" for v in corners))
    lines.append("f " + " ".join(f"{v}/{v}" for v in (number[9, 3], number[9, 4], len(places) + 1)))
    return "\n".join(lines) + "\n", len(places) + 1, len(cells) + 1


def cube(size, at):
    corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    return ("".join("v %r %r %r\n" % tuple(at[i] + size * c[i] for i in range(3)) for c in corners) +
            "".join("f %d %d %d %d\n" % face for face in faces))


class ArtistMeshTest(SmallSceneTest):
    def test_a_mesh_of_quads_with_seams_goes_through_simulation_and_upscaling(self):
        text, vertices, faces = cross()
        (self.folder / "cross.obj").write_text(text)
        (self.folder / "stone.obj").write_text(cube(0.2, (0.35, 0.75, 0.35)))
        for key in range(4):
            (self.folder / f"heart_{key:04}.obj").write_text(cube(0.1 + 0.02 * key, (0.0, 0.8, 0.4)))
        self.scene.write_text(SCENE)
        cache, points = self.folder / "cross.h5", self.folder / "cross.pc2"
        done = tulle("simulate", self.scene, "-o", cache)
        self.assertEqual(done.returncode, 0, done.stderr)
        frames = frames_of(cache)[0]
        rest = numpy.array([line.split()[1:] for line in text.splitlines() if line.startswith("v ")], float)
        self.assertEqual(frames.shape, (13, vertices, 3))
        self.assertLess(abs(frames[:, [0, 3]] - rest[[0, 3]]).max(), 1e-6)  # pins, by the artist's numbers
        self.assertGreater(abs(frames[-1] - frames[0]).max(), 0.05)
        (self.folder / "out").mkdir()
        points = self.folder / "out" / "cross.pc2"
        done = tulle("export", cache, "-o", points)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("cross.stone.obj", "cross.heart.obj", "cross.heart.pc2"):
            self.assertTrue((self.folder / "out" / name).exists(), name)
        self.assertFalse((self.folder / "out" / "cross.stone.pc2").exists())  # it stands still
        self.assertNotIn("pc2", (self.folder / "out" / "cross.stone.obj").read_text().lower())
        self.assertIn("points in cross.heart.pc2", (self.folder / "out" / "cross.heart.obj").read_text())
        mesh = points.with_suffix(".obj").read_text().splitlines()
        drawn = [line for line in text.splitlines() if line.startswith("f ")]
        written = [line for line in mesh if line.startswith("f ")]
        self.assertEqual([[c.split("/")[0] for c in line.split()[1:]] for line in written],
                         [[c.split("/")[0] for c in line.split()[1:]] for line in drawn])

        def uv_of(lines):
            coordinates = [tuple(map(float, line.split()[1:])) for line in lines if line.startswith("vt ")]
            return [[coordinates[int(c.split("/")[1]) - 1] for c in line.split()[1:]]
                    for line in lines if line.startswith("f ")]

        self.assertEqual(uv_of(mesh), uv_of(text.splitlines()))
        fine = self.folder / "out" / "fine.pc2"
        done = tulle("upscale", points, "--mesh", points.with_suffix(".obj"), "-o", fine, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["method"], report["grid"]), ("hierarchy", None))
        data = fine.read_bytes()
        count, = struct.unpack_from("<i", data, 16)
        result = numpy.frombuffer(data, "<f4", offset=32).reshape(13, count, 3)
        self.assertTrue((result[:, :vertices] == frames).all())
        finer = [line for line in fine.with_suffix(".obj").read_text().splitlines() if line.startswith("f ")]
        self.assertEqual(len(finer), 4 * faces)
        self.assertEqual(sum(len(line.split()) == 5 for line in finer), 4 * (faces - 1))  # quads stay quads


if __name__ == "__main__":
    unittest.main(argv=["artist_mesh_test.py"])
