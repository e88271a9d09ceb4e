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
    Positions positions;
    TexCoords tex_coords;  // by corner
    std::vector<int> corners;
};

ObjFile read_with_tinyobj(const fs::path& path) {
    tinyobj::ObjReader reader;
    REQUIRE(reader.ParseFromFile(path.string()));
    CHECK(reader.Warning().empty());
    REQUIRE(reader.GetShapes().size() == 1);
    const std::vector<double>& numbers = reader.GetAttrib().vertices;
    const std::vector<double>& uv = reader.GetAttrib().texcoords;
    ObjFile file;
    file.positions = Eigen::Map<const Positions>(numbers.data(), static_cast<long>(numbers.size() / 3), 3);
    const auto& indices = reader.GetShapes()[0].mesh.indices;
    if (!uv.empty()) file.tex_coords.resize(static_cast<long>(indices.size()), 2);
    for (size_t i = 0; i < indices.size(); ++i) {
        file.corners.push_back(indices[i].vertex_index);
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

void check_cloth(const ObjFile& file, const geometry::TriangleMesh& mesh, const Positions& positions) {
    REQUIRE(file.positions.rows() == positions.rows());
    CHECK(file.positions.isApprox(y_up(positions), 1e-7));
    REQUIRE(static_cast<long>(file.corners.size()) == mesh.triangles.size());
    for (long i = 0; i < mesh.triangles.size(); ++i) {
        const int v = mesh.triangles.data()[i];
        CHECK(file.corners[static_cast<size_t>(i)] == v);
        CHECK(file.tex_coords.row(i).isApprox(mesh.tex_coords.row(v), 1e-6));
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

TEST_CASE("A still collider is one file in an OBJ export") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 1);
    export_cache(CacheReader(folder / "a.h5"), ExportFormat::Obj, (folder / "frames").string() + "/");
    CHECK(fs::exists(folder / "frames/cloth.0000.obj"));
    CHECK(fs::exists(folder / "frames/wedge.obj"));
    CHECK(fs::exists(folder / "frames/ball.obj"));
}
