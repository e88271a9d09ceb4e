# SPDX-License-Identifier: Apache-2.0
"""Draped poses that were never simulated: quick, and nothing to look at."""
import h5py
import numpy
from support import ROOT

SCENE = ROOT / "scenes" / "shirt.toml"
JOINTS = ["waist", "left_shoulder", "right_elbow"]


def shirt_at_rest():
    """|V|×3, as it lies on the body."""
    lines = (ROOT / "scenes" / "meshes" / "t-shirt.obj").read_text().splitlines()
    return numpy.array([[float(word) for word in line.split()[1:4]] for line in lines if line.startswith("v ")])


def write_pose(file, index, rest):
    """The shirt nearly as it lies on the body at rest, on a body that bends a little."""
    random = numpy.random.default_rng(index)
    angles = random.uniform(-0.05, 0.05, (len(JOINTS), 3))
    positions = rest + 0.002 * numpy.sin(10 * rest + 20 * angles[0])
    with h5py.File(file, "w") as pose:
        pose["positions"] = positions.astype("f4")
        pose["angles"] = angles
        for key, text in (("format", "tulle-drape"), ("scene", SCENE.read_text()), ("joints", " ".join(JOINTS))):
            pose.attrs[key] = numpy.bytes_(text.encode())
        for key, number in (("version", 2), ("seed", index), ("attempts", 1)):
            pose.attrs[key] = numpy.uint64(number)
        pose.attrs["mean_speed"] = 0.0
        pose.attrs["longest_edge"] = 1.0


def write_poses(folder, count):
    folder.mkdir(parents=True)
    rest = shirt_at_rest()
    for index in range(count):
        write_pose(folder / f"{index:04}.h5", index, rest)
