// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/cache_faces.h"

#include <limits>
#include <vector>

namespace tulle::io {

namespace {

std::vector<int> read_integers(const hdf5::InputFile& file, const std::string& name) {
    const hdf5::InputArray array = file.integers(name, 1);
    if (array.shape()[0] > static_cast<hsize_t>(std::numeric_limits<int>::max() / 8)) file.fail(name + " is too long");
    std::vector<int> numbers(array.shape()[0]);
    array.read_rows(0, array.shape()[0], numbers.data());
    return numbers;
}

void read_uv(const hdf5::InputFile& file, geometry::Faces& faces) {
    const hdf5::InputArray array = file.floats("/faces/uv", 2);
    if (array.shape() != hdf5::Shape{faces.corners.size(), 2}) file.fail("/faces/uv does not fit /faces/corners");
    Rows<double, 2> uv(static_cast<long>(faces.corners.size()), 2);
    array.read_rows(0, array.shape()[0], uv.data());
    for (size_t c = 0; c < faces.corners.size(); ++c) faces.corners[c].uv = uv.row(static_cast<long>(c));
    faces.has_tex_coords = true;
}

}  // namespace

void write_faces(const hdf5::OutputFile& file, const geometry::Faces& faces) {
    if (faces.empty()) return;
    std::vector<int> vertices;
    std::vector<double> uv;
    for (const geometry::Corner& corner : faces.corners) {
        vertices.push_back(corner.vertex);
        uv.insert(uv.end(), {corner.uv.x(), corner.uv.y()});
    }
    file.create_group("/faces");
    file.create_array("/faces/sizes", {faces.sizes.size()}, faces.sizes.data());
    file.create_array("/faces/corners", {vertices.size()}, vertices.data());
    if (faces.has_tex_coords) file.create_array("/faces/uv", {vertices.size(), 2}, uv.data());
}

geometry::Faces read_faces(const hdf5::InputFile& file) {
    geometry::Faces faces;
    if (!file.has("/faces")) return faces;
    faces.sizes = read_integers(file, "/faces/sizes");
    for (const int vertex : read_integers(file, "/faces/corners")) faces.corners.push_back({.vertex = vertex});
    size_t corners = 0;
    for (const int size : faces.sizes) {
        if (size < 3) file.fail("/faces/sizes has a face of fewer than three corners");
        corners += static_cast<size_t>(size);
    }
    if (corners != faces.corners.size()) file.fail("/faces/sizes does not add up to /faces/corners");
    if (file.has("/faces/uv")) read_uv(file, faces);
    return faces;
}

}  // namespace tulle::io
