# SPDX-License-Identifier: Apache-2.0
# Damages a sound cache in many ways: break_cache.py SOUND FOLDER writes FOLDER/<what is wrong>.h5.
import os
import shutil
import sys

import h5py
import numpy as np


def replace(file, name, data, **options):
    del file[name]
    file.create_dataset(name, data=data, **options)


def set_value(name, where, value):
    def change(file):
        file[name][where] = value

    return change


def giant(name, shape, dtype="f8", **options):
    def change(file):
        del file[name]
        file.create_dataset(name, shape=shape, dtype=dtype, **options)

    return change


def external(file):
    shape = file["rest_positions"].shape
    del file["rest_positions"]
    file.create_dataset("rest_positions", shape, "f8", external=[("/etc/passwd", 0, h5py.h5f.UNLIMITED)])


def linked(file):
    del file["triangles"]
    file["triangles"] = h5py.ExternalLink("other.h5", "/triangles")


def soft(file):
    file["elsewhere"] = file["time"][:]
    del file["time"]
    file["time"] = h5py.SoftLink("/elsewhere")


def wrong_chunks(file):
    data = file["positions"][:]
    replace(file, "positions", data, chunks=(2, 3, 3))


def compressed_bomb(file):
    vertices = len(file["rest_positions"])
    giant("positions", (2_000_000, vertices, 3), "f4", chunks=(1, vertices, 3), compression="gzip")(file)


def attribute(name, value):
    def change(file):
        del file.attrs[name]
        if value is not None:
            file.attrs[name] = value

    return change


def missing(name):
    def change(file):
        del file[name]

    return change


DAMAGE = {
    "version": attribute("version", 2),
    "version-text": attribute("version", "one"),
    "format": attribute("format", np.bytes_("other")),
    "variable-length": attribute("method", "admm"),
    "no-format": attribute("format", None),
    "no-frame-rate": attribute("frame_rate", None),
    "frame-rate-zero": attribute("frame_rate", 0.0),
    "frame-rate-nan": attribute("frame_rate", float("nan")),
    "up-axis": attribute("up_axis", np.bytes_("x")),
    "grid": attribute("grid_rows", 6),
    "grid-giant": attribute("grid_rows", 2**63),
    "no-positions": missing("positions"),
    "no-time": missing("time"),
    "no-triangles": missing("triangles"),
    "no-rest-positions": missing("rest_positions"),
    "no-milliseconds": missing("frame_milliseconds"),
    "no-transforms": missing("colliders/ball/transforms"),
    "index-high": set_value("triangles", (3, 1), 35),
    "index-negative": set_value("triangles", (0, 0), -1),
    "collider-index": set_value("colliders/ball/triangles", (0, 0), 4),
    "rest-nan": set_value("rest_positions", (2, 2), np.nan),
    "uv-infinite": set_value("uv", (0, 0), np.inf),
    "position-nan": set_value("positions", (2, 4, 1), np.nan),
    "velocity-infinite": set_value("velocities", (1, 0, 0), np.inf),
    "time-nan": set_value("time", 1, np.nan),
    "time-backwards": set_value("time", 3, 0.0),
    "transform-nan": set_value("colliders/wedge/transforms", (1, 0, 3), np.nan),
    "transform-scaled": set_value("colliders/wedge/transforms", (1, 0, 0), 3.0),
    "blob-nan": set_value("colliders/blob/positions", (2, 1, 0), np.nan),
    "blob-short": lambda f: replace(f, "colliders/blob/positions", np.zeros((2, 4, 3), "f4")),
    "blob-narrow": lambda f: replace(f, "colliders/blob/positions", np.zeros((6, 5, 3), "f4")),
    "blob-flat": lambda f: replace(f, "colliders/blob/positions", np.zeros((6, 12), "f4")),
    "blob-text": lambda f: replace(f, "colliders/blob/positions", np.array([b"a", b"b"])),
    "blob-never-written": giant("colliders/blob/positions", (6, 4, 3), "f4", chunks=(1, 4, 3)),
    "blob-giant": giant("colliders/blob/positions", (10**12, 4, 3), "f4", chunks=(1, 4, 3)),
    "blob-unmoved": missing("colliders/blob/positions"),
    "rest-columns": lambda f: replace(f, "rest_positions", np.zeros((35, 2))),
    "rest-text": lambda f: replace(f, "rest_positions", np.array([b"a", b"b"])),
    "rest-flat": lambda f: replace(f, "rest_positions", np.zeros(105)),
    "rest-empty": lambda f: replace(f, "rest_positions", np.zeros((0, 3))),
    "triangles-float": lambda f: replace(f, "triangles", np.zeros((2, 3))),
    "uv-short": lambda f: replace(f, "uv", np.zeros((3, 2))),
    "positions-short": lambda f: replace(f, "positions", np.zeros((2, 35, 3), "f4")),
    "positions-narrow": lambda f: replace(f, "positions", np.zeros((6, 34, 3), "f4")),
    "positions-group": lambda f: (missing("positions")(f), f.create_group("positions")),
    "giant-rest": giant("rest_positions", (10**15, 3)),
    "giant-triangles": giant("triangles", (10**15, 3), "i4"),
    "giant-overflow": giant("rest_positions", (2**62, 3), chunks=(1024, 3)),
    "giant-time": giant("time", (10**12,), chunks=(512,)),
    "never-written": giant("positions", (6, 35, 3), "f4", chunks=(1, 35, 3)),
    "compressed-bomb": compressed_bomb,
    "external": external,
    "external-link": linked,
    "soft-link": soft,
    "wrong-chunks": wrong_chunks,
}

sound, folder = sys.argv[1:]
for what, change in DAMAGE.items():
    path = f"{folder}/{what}.h5"
    shutil.copy(sound, path)
    with h5py.File(path, "r+") as file:
        change(file)

with h5py.File(f"{folder}/foreign.h5", "w") as file:
    file["x"] = np.zeros(5)
shutil.copy(sound, f"{folder}/signature.h5")
with open(f"{folder}/signature.h5", "r+b") as file:
    file.write(b"XHDF")
with open(f"{folder}/text.h5", "w") as file:
    file.write("v 0 0 0\n" * 1000)
open(f"{folder}/empty.h5", "w").close()
os.mkdir(f"{folder}/folder.h5")
