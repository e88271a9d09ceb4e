# SPDX-License-Identifier: Apache-2.0
"""What the tests of the command line share."""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

os.environ.setdefault("HDF5_USE_FILE_LOCKING", "FALSE")  # h5py only reads here, also files that are still written
os.environ.setdefault("TULLE_PROGRESS_SECONDS", "100000")  # also on a slow machine a test waits for no such line
import h5py  # noqa: E402
import numpy  # noqa: E402

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else "build/tulle"
ROOT = pathlib.Path(__file__).resolve().parents[2]

# A cloth that takes a fraction of a second: for tests that are about files, not about cloth.
SMALL_SCENE = """
name = "small"
[time]
frame_rate = 25
frames = 20
[cloth]
kind = "grid"
rows = 9
columns = 13
width = 0.6
height = 0.4
origin = [0, 0, 1]
mass = 2e-3
[cloth.stretch]
stiffness = 100
[cloth.shear]
stiffness = 100
[cloth.bend]
stiffness = 5
[[pins]]
column = "first"
[wind]
velocity = [4, 1, 0]
normal = 3
"""


class SmallSceneTest(unittest.TestCase):
    """Each test has a folder of its own with the small scene in it."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.scene = self.folder / "small.toml"
        self.scene.write_text(SMALL_SCENE)


def tulle(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


def frames_of(path):
    """All complete frames of a cache, finished or not, as f32 positions and f64 times."""
    with h5py.File(path, "r", libver="latest", swmr=True) as file:
        count = file["time"].shape[0]
        return file["positions"][:count], file["time"][:count]


def digest(path):
    """A hash of everything a run computed, the timings left out."""
    with h5py.File(path, "r") as file:
        result = hashlib.sha256()
        for name in ("positions", "velocities", "time"):
            result.update(numpy.ascontiguousarray(file[name][...]).tobytes())
        newest = (file["time"].shape[0] - 1) % 2  # the other slot holds an older frame, or nothing after a resume
        for name in ("checkpoint/positions", "checkpoint/velocities"):
            result.update(numpy.ascontiguousarray(file[name][newest]).tobytes())
        return result.hexdigest()
