# SPDX-License-Identifier: Apache-2.0
# An independent reader of sequence caches: read_cache.py CACHE EXPECTED.
import sys
import xml.etree.ElementTree as xml

import h5py
import numpy as np

from expected import read_expected


def check_attributes(file):
    texts = {name: file.attrs[name].decode() for name in ("format", "up_axis", "scene", "scene_name", "method")}
    assert texts["format"] == "tulle-sequence"
    assert texts["up_axis"] == "z"
    assert texts["scene"] == 'name = "example"  # süß\n'
    assert texts["scene_name"] == "example"
    assert texts["method"] == "admm:5"
    assert file.attrs["version"] == 1
    assert file.attrs["seed"] == 7
    assert file.attrs["frame_rate"] == 60.0
    assert file.attrs["grid_rows"] * file.attrs["grid_columns"] == len(file["rest_positions"])


def check_arrays(file, expected):
    times, positions, velocities = expected.times, expected.positions, expected.velocities
    assert file["positions"].dtype == "<f4" and file["velocities"].dtype == "<f4"
    assert file["rest_positions"].dtype == "<f8" and file["triangles"].dtype == "<i4"
    assert file["positions"].chunks == (1, positions.shape[1], 3) and file["positions"].compression is None
    assert file["triangles"][:].max() == positions.shape[1] - 1 and file["triangles"][:].min() == 0
    assert len(file["uv"]) == positions.shape[1] and len(file["frame_milliseconds"]) == len(times)
    assert np.array_equal(file["time"][:], times)
    for frame in range(len(times)):
        assert np.array_equal(file["positions"][frame], positions[frame].astype("f4")), frame
        assert np.array_equal(file["velocities"][frame], velocities[frame].astype("f4")), frame
    for name, deforms, motion in zip(["wedge", "ball", "blob"], expected.deforms, expected.colliders):
        group = file["colliders"][name]
        assert ("positions" in group, "transforms" in group) == (deforms, not deforms)
        if deforms:
            assert group["positions"].dtype == "<f4" and group["positions"].chunks == (1, *motion.shape[1:])
            assert np.array_equal(group["positions"][:], motion.astype("f4"))
        else:
            assert np.array_equal(group["transforms"][:], motion)
    record = file["checkpoint/record"][:]
    newest = int(np.argmax(record[:, 0]))
    assert record[newest, 0] == len(times) - 1
    assert np.array_equal(file["checkpoint/positions"][newest], positions[-1])
    assert np.array_equal(file["checkpoint/velocities"][newest], velocities[-1])


def resolve(item, folder):
    """The array a DataItem of an XDMF file stands for, and its declared shape checked."""
    shape = tuple(int(n) for n in item.get("Dimensions").split())
    if item.get("ItemType") == "HyperSlab":
        selection, source = item.findall("DataItem")
        start, stride, count = np.array(selection.text.split(), dtype=int).reshape(3, -1)
        data = resolve(source, folder)
        block = data[tuple(slice(a, a + s * n, s) for a, s, n in zip(start, stride, count))]
        return block.reshape(shape)
    name, path = item.text.strip().split(":", 1)
    path, _, selection = path.partition("|")
    with h5py.File(f"{folder}/{name}", "r") as file:
        data = file[path][...]
    if selection:  # start : stride : count : shape of the dataset, as Xdmf3 writes it
        start, stride, count, whole = (tuple(map(int, part.split())) for part in selection.split(":"))
        assert data.shape == whole
        data = data[tuple(slice(a, a + s * n, s) for a, s, n in zip(start, stride, count))].reshape(shape)
    assert data.shape == shape, (data.shape, shape)
    assert data.dtype.itemsize == int(item.get("Precision"))
    assert data.dtype.kind == {"Float": "f", "Int": "i"}[item.get("NumberType")]
    return data


def check_grids(collection, folder, times, positions):
    assert collection.get("GridType") == "Collection" and collection.get("CollectionType") == "Temporal"
    grids = collection.findall("Grid")
    assert len(grids) == len(times)
    for frame, grid in enumerate(grids):
        assert float(grid.find("Time").get("Value")) == times[frame]
        topology = grid.find("Topology")
        triangles = resolve(topology.find("DataItem"), folder)
        assert topology.get("TopologyType") == "Triangle" and int(topology.get("NumberOfElements")) == len(triangles)
        assert grid.find("Geometry").get("GeometryType") == "XYZ"
        points = resolve(grid.find("Geometry/DataItem"), folder)
        assert np.array_equal(points, positions[frame].astype("f4"))
    return grids


def by_mesh(collections):
    """Every mesh over time, also where all meshes of a frame are together."""
    frames = collections[0].findall("Grid")
    if not all(frame.get("CollectionType") == "Spatial" for frame in frames):
        return collections
    assert collections[0].get("CollectionType") == "Temporal" and len(collections) == 1
    meshes = [xml.Element("Grid", collections[0].attrib | {"Name": name}) for name in ("example", "blob")]
    for frame in frames:
        for mesh, grid in zip(meshes, frame.findall("Grid"), strict=True):
            assert grid.find("Time").get("Value") == frame.find("Time").get("Value")
            mesh.append(grid)
    return meshes


def check_sidecar(path, folder, expected):
    cloth, *colliders = by_mesh(xml.parse(path).getroot().findall("Domain/Grid"))
    for frame, grid in enumerate(check_grids(cloth, folder, expected.times, expected.positions)):
        attributes = {a.get("Name"): resolve(a.find("DataItem"), folder) for a in grid.findall("Attribute")}
        assert np.array_equal(attributes["velocities"], expected.velocities[frame].astype("f4"))
        assert len(attributes["uv"]) == len(attributes["rest_positions"]) == expected.positions.shape[1]
    deforming = [motion for motion, deforms in zip(expected.colliders, expected.deforms) if deforms]
    assert [grid.get("Name") for grid in colliders] == ["blob"][: len(deforming)]
    for collection, positions in zip(colliders, deforming):
        check_grids(collection, folder, expected.times, positions)


def main():
    cache, expected = sys.argv[1], read_expected(sys.argv[2])
    is_part = cache.endswith(".part")
    with h5py.File(cache, "r", swmr=is_part) as file:
        check_attributes(file)
        check_arrays(file, expected)
    if not is_part:
        for extension in (".xdmf", ".xmf"):
            check_sidecar(cache.replace(".h5", extension), cache.rsplit("/", 1)[0], expected)
    print(f"{len(expected.times)} frames are the same")


main()
