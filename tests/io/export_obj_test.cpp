// SPDX-License-Identifier: Apache-2.0
// OBJ sequences, read by tinyobjloader itself and not by our reader, which takes the numbers from the text on its own.
#include "tests/io/support.h"
#include "tulle/io/export.h"

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

struct ObjFile {
    std::string name;
    Positions positions, normals;  // normals by corner
    TexCoords tex_coords;          // by corner
    std::vector<int> corners, sizes;
};

ObjFile read_with_tinyobj(const fs::path& path) {
    tinyobj::ObjReader reader;
    tinyobj::ObjReaderConfig as_it_is;
    as_it_is.triangulate = false;
    REQUIRE(reader.ParseFromFile(path.string(), as_it_is));
    CHECK(reader.Warning().empty());
    REQUIRE(reader.GetShapes().size() == 1);
    const std::vector<double>& numbers = reader.GetAttrib().vertices;
    const std::vector<double>& uv = reader.GetAttrib().texcoords;
    ObjFile file;
    file.name = reader.GetShapes()[0].name;
    for (const int size : reader.GetShapes()[0].mesh.num_face_vertices) file.sizes.push_back(size);
    file.positions = Eigen::Map<const Positions>(numbers.data(), static_cast<long>(numbers.size() / 3), 3);
    const auto& indices = reader.GetShapes()[0].mesh.indices;
    if (!uv.empty()) file.tex_coords.resize(static_cast<long>(indices.size()), 2);
    const std::vector<double>& normals = reader.GetAttrib().normals;
    if (!normals.empty()) file.normals.resize(static_cast<long>(indices.size()), 3);
    for (size_t i = 0; i < indices.size(); ++i) {
        file.corners.push_back(indices[i].vertex_index);
        const double* n = normals.empty() ? nullptr : normals.data() + 3L * indices[i].normal_index;
        if (n) file.normals.row(static_cast<long>(i)) << n[0], n[1], n[2];
        const auto t = static_cast<size_t>(indices[i].texcoord_index);
        if (!uv.empty()) file.tex_coords.row(static_cast<long>(i)) << uv[2 * t], uv[2 * t + 1];
    }
    return file;
}

Positions y_up(const Positions& points) {
    Positions turned = points;
    turned.col(1) = points.col(2);
    turned.col(2) = -points.col(1);
    return turned;
}

// The examples are grids: a face is the quad of two triangles.
void check_cloth(const ObjFile& file, const geometry::TriangleMesh& mesh, const Positions& positions) {
    CHECK(file.name == "Cloth");
    REQUIRE(file.positions.rows() == positions.rows());
    CHECK(file.positions.isApprox(y_up(positions), 1e-7));
    REQUIRE(static_cast<long>(file.sizes.size()) == mesh.triangles.rows() / 2);
    REQUIRE(file.normals.rows() == static_cast<long>(file.corners.size()));
    const Positions normals = y_up(geometry::vertex_normals(positions, mesh.triangles));
    for (size_t f = 0; f < file.sizes.size(); ++f) {
        REQUIRE(file.sizes[f] == 4);
        const int* corner = file.corners.data() + 4 * f;
        const auto t = static_cast<long>(2 * f);
        CHECK(Eigen::RowVector3i(corner[0], corner[1], corner[2]) == mesh.triangles.row(t));
        CHECK(Eigen::RowVector3i(corner[0], corner[2], corner[3]) == mesh.triangles.row(t + 1));
    }
    for (size_t i = 0; i < file.corners.size(); ++i) {
        const auto row = static_cast<long>(i);
        CHECK(file.tex_coords.row(row).isApprox(mesh.tex_coords.row(file.corners[i]), 1e-6));
        CHECK((file.normals.row(row) - normals.row(file.corners[i])).norm() < 2e-5);
    }
}

}  // namespace

TEST_CASE("tinyobjloader reads every frame of an OBJ export, texture coordinates and colliders included") {
    const TemporaryFolder folder;
    CacheHeader header = example_header();
    header.colliders[0].name = "a/b";
    CHECK_THROWS_AS(write_example(folder / "a.h5", header, 1), Error);
    header.colliders[0].name = "a?b";
    header.colliders[1].name = "cloth";
    write_example(folder / "a.h5", header, 12);
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Obj, folder / "frames");
    CHECK(std::distance(fs::directory_iterator(folder / "frames"), {}) == 36);
    for (long f = 0; f < 12; ++f) {
        const CacheFrame frame = example_frame(header, f);
        check_cloth(read_with_tinyobj(folder / fmt::format("frames/cloth.{:04}.obj", f)), header.mesh, frame.positions);
        const std::vector<std::string> names = {"a_b", "cloth-2"};
        for (size_t c = 0; c < 2; ++c) {
            const ObjFile file = read_with_tinyobj(folder / fmt::format("frames/{}.{:04}.obj", names[c], f));
            const Positions world =
                (frame.collider_transforms[c] * header.colliders[c].rest_positions.transpose()).transpose();
            CHECK(file.positions.isApprox(y_up(world), 1e-6));
        }
    }
}

TEST_CASE("tinyobjloader reads a deforming collider at every frame of an OBJ export") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    write_example(folder / "a.h5", header, 5);
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Obj, folder / "frames");
    for (long f = 0; f < 5; ++f) {
        const ObjFile file = read_with_tinyobj(folder / fmt::format("frames/blob.{:04}.obj", f));
        CHECK(file.positions.isApprox(y_up(example_frame(header, f).collider_positions[2]), 1e-6));
    }
}

TEST_CASE("OBJ files of a z-up export are as the z-up cache is, and one frame may be one file") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 1);
    const CacheReader cache(folder / "a.h5");
    export_cache(cache, ExportFormat::Obj, folder / "a.obj", {.up_axis = 'z'});
    CHECK(read_with_tinyobj(folder / "a.obj").positions.isApprox(example_frame(header, 0).positions, 1e-7));
}

TEST_CASE("A still collider is one file in an OBJ export") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 1);
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Obj, (folder / "frames").string() + "/");
    CHECK(fs::exists(folder / "frames/cloth.0000.obj"));
    CHECK(fs::exists(folder / "frames/wedge.obj"));
    CHECK(fs::exists(folder / "frames/ball.obj"));
}
