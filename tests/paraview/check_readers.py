# SPDX-License-Identifier: Apache-2.0
"""check_readers.py CACHE.h5, run by pvpython: every reader of ParaView has every vertex of every frame of the cache, from
the sidecar that is meant for it, and the reader that scripts get by themselves is among them."""
import pathlib
import sys

import h5py
import numpy
from paraview import servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

CACHE = pathlib.Path(sys.argv[1]).resolve()
READERS = (
    ("OpenDataFile", lambda file: simple.OpenDataFile(file), ".xmf"),
    ("Xdmf3 Reader S", lambda file: simple.Xdmf3ReaderS(FileName=[file]), ".xmf"),
    ("Xdmf3 Reader T", lambda file: simple.Xdmf3ReaderT(FileName=[file]), ".xmf"),
    ("XDMF Reader", lambda file: simple.XDMFReader(FileNames=[file]), ".xdmf"),
)


def meshes(data):
    """All meshes of what a reader gives, however deep it puts them."""
    if data.IsA("vtkMultiPieceDataSet"):
        blocks = [data.GetPiece(i) for i in range(data.GetNumberOfPieces())]
    elif data.IsA("vtkMultiBlockDataSet"):
        blocks = [data.GetBlock(i) for i in range(data.GetNumberOfBlocks())]
    else:
        return [data]
    return [mesh for block in blocks if block for mesh in meshes(block)]


def check(name, reader, expected):
    reader.UpdatePipeline()
    times = list(reader.TimestepValues)
    assert len(times) == len(expected["time"]), f"{name}: {len(times)} frames"
    assert numpy.allclose(times, expected["time"]), name
    for frame, time in enumerate(times):
        reader.UpdatePipeline(time)
        found = meshes(servermanager.Fetch(reader))
        wanted = [expected["positions"], *expected["colliders"]]
        assert len(found) == len(wanted), f"{name}: {len(found)} meshes"
        for mesh, positions in zip(found, wanted):
            points = vtk_to_numpy(mesh.GetPoints().GetData())
            assert points.shape == positions[frame].shape, f"{name}, frame {frame}: {points.shape}"
            assert numpy.array_equal(points, positions[frame]), f"{name}, frame {frame}"
        cloth = found[0]
        assert cloth.GetNumberOfCells() == expected["triangles"], name
        velocities = vtk_to_numpy(cloth.GetPointData().GetArray("velocities"))
        assert numpy.array_equal(velocities, expected["velocities"][frame]), f"{name}: velocities of frame {frame}"
    print(f"{name}: {len(times)} frames are the same")


with h5py.File(CACHE) as file:
    groups = file.get("colliders", {})
    expected = {
        "time": file["time"][...],
        "positions": file["positions"][...],
        "velocities": file["velocities"][...],
        "triangles": len(file["triangles"]),
        "colliders": [groups[name]["positions"][...] for name in groups if "positions" in groups[name]],
    }
for name, make, extension in READERS:
    check(name, make(str(CACHE.with_suffix(extension))), expected)
