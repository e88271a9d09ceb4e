// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/obj.h"
#include "tests/support/near.h"

#include "tests/io/support.h"
#include "tulle/core/random.h"

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

geometry::TriangleMesh read_text(const std::string& text) {
    const TemporaryFolder folder;
    std::ofstream(folder / "mesh.obj", std::ios::binary) << text;
    return read_obj(folder / "mesh.obj");
}

const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

// Text, and a word of the sentence it must end in.
const std::vector<std::pair<std::string, std::string>> broken_files = {
    {"", "no faces"},
    {square, "no faces"},
    {"garbage\n\x01\x02\x03\n", "no faces"},
    {std::string(5000, '\0'), "no faces"},
    {square + "f 1 2 5\n", "vertex 5"},
    {square + "f 1 2 99999999\n", "vertex 99999999"},
    {square + "f 1 2 99999999999999999999\n", "line 5: '99999999999999999999'"},
    {square + "f 1 2 3.5\n", "line 5: '3.5'"},
    {square + "f 1/ 2/ 3/\n", "line 5"},
    {square + "f 1/1/1/1 2 3\n", "line 5: '1/1/1/1'"},
    {square + "f 1 2 3 4 9\n", "vertex 9"},
    {square + "f 1 2 3 -9\n", "vertex"},
    {square + "f 0 1 2\n", "line 5"},
    {square + "f 1 2\n", "line 5"},
    {square + "f\n", "line 5"},
    {square + "f a b c\n", "line 5"},
    {square + "f 1/1 2/1 3/1\n", "texture coordinate 1"},
    {square + "vt 0 0\nf 1/1 2/1 3/-5\n", "texture coordinate"},
    {square + "vt nan 0\nf 1/1 2/1 3/1\n", "line 5: 'nan'"},
    {square + "vt\nf 1 2 3\n", "line 5"},
    {"v nan 0 0\n" + square + "f 1 2 3\n", "line 1: 'nan'"},
    {"v 0 inf 0\n" + square + "f 1 2 3\n", "line 1: 'inf'"},
    {"v 0 1e999 0\n" + square + "f 1 2 3\n", "line 1: '1e999'"},
    {"v 0 0x10 0\n" + square + "f 1 2 3\n", "line 1: '0x10'"},
    {"v 0 0\n" + square + "f 1 2 3\n", "line 1"},
    {"v 1,5 0 0\n" + square + "f 1 2 3\n", "line 1: '1,5'"},
};

}  // namespace

TEST_CASE("A mesh written as OBJ comes back with the same bits") {
    const TemporaryFolder folder;
    geometry::TriangleMesh mesh = example_header(6, 9).mesh;
    Random random(3);
    for (double& x : mesh.positions.reshaped()) x = random.uniform(-1, 1) * std::pow(10.0, random.uniform(-30, 30));
    write_obj(folder / "a.obj", mesh);
    const geometry::TriangleMesh read = read_obj(folder / "a.obj");
    CHECK(read.positions == mesh.positions);
    CHECK(read.triangles == mesh.triangles);
    CHECK(read.tex_coords == mesh.tex_coords);

    mesh.tex_coords.resize(0, 2);
    write_obj(folder / "a.obj", mesh);
    CHECK(read_obj(folder / "a.obj").tex_coords.rows() == 0);
    CHECK(folder.names() == std::vector<std::string>{"a.obj"});
}

TEST_CASE("Polygons become triangles that cover them, concave ones too") {
    const geometry::TriangleMesh quad = read_text(square + "f 1 2 3 4\n");
    CHECK(quad.triangle_count() == 2);
    CHECK(geometry::triangle_areas(quad.positions, quad.triangles).sum() == tulle::test::near(1));

    // An L of area 3.
    const std::string corners = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
    const geometry::TriangleMesh concave = read_text(corners + "f 1 2 3 4 5 6\n");
    CHECK(concave.triangle_count() == 4);
    CHECK(geometry::triangle_areas(concave.positions, concave.triangles).sum() == tulle::test::near(3));
    const Positions normals = geometry::vertex_normals(concave.positions, concave.triangles);
    CHECK(normals.col(2).isOnes());
}

TEST_CASE("Comments, groups, normals, relative indices and Windows line ends are understood") {
    const geometry::TriangleMesh mesh = read_text(
        "# a comment\r\nmtllib /etc/passwd\r\no one\r\nv +0 0 0\r\nv 1 0 0 0.5 0.5 0.5\r\nv 1 1 0\r\nvn 0 0 1\r\n"
        "vt 0.25\r\nvt 1 0 0\r\nvt 1 1\r\ng a b\r\nusemtl red\r\ns off\r\nf 1/1/1 2/2/1 3/3/1\r\n"
        "o two\r\nv 0 0 1\r\nf -1//1 -2//1 -3//1\r\nl 1 2\r\n");
    CHECK(mesh.vertex_count() == 4);
    CHECK(mesh.triangle_count() == 2);
    CHECK(mesh.triangles.row(1) == Eigen::RowVector3i(3, 2, 1));
    CHECK(mesh.tex_coords.row(0) == Eigen::RowVector2d(0.25, 0));
    CHECK(mesh.tex_coords.row(1) == Eigen::RowVector2d(1, 0));
}

TEST_CASE("A vertex on a texture seam keeps the first coordinates used") {
    const geometry::TriangleMesh mesh =
        read_text(square + "vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0.9 0.9\nvt 0 1\nf 1/1 2/2 3/3\nf 1/4 3/4 4/5\n");
    CHECK(mesh.vertex_count() == 4);
    CHECK(mesh.tex_coords.row(0) == Eigen::RowVector2d(0, 0));
    CHECK(mesh.tex_coords.row(2) == Eigen::RowVector2d(0.5, 1));
    CHECK(mesh.tex_coords.row(3) == Eigen::RowVector2d(0, 1));
}

TEST_CASE("Every broken OBJ file ends in one sentence that names file and place") {
    const TemporaryFolder folder;
    for (const auto& [text, word] : broken_files) {
        CAPTURE(text);
        std::ofstream(folder / "broken.obj", std::ios::binary) << text;
        const std::string message = error_of([&] { read_obj(folder / "broken.obj"); }, "broken.obj");
        CAPTURE(message);
        CHECK(contains(message, word));
    }
    CHECK(contains(error_of([&] { read_obj(folder / "none.obj"); }, "none.obj"), "no such file"));
    fs::create_directory(folder / "folder.obj");
    error_of([&] { read_obj(folder / "folder.obj"); }, "folder.obj");
    error_of([&] { read_obj("/dev/zero"); }, "zero");
    fs::resize_file(folder / "broken.obj", std::uintmax_t{3} << 30);  // a hole: it takes no room
    CHECK(contains(error_of([&] { read_obj(folder / "broken.obj"); }, "broken.obj"), "more than"));
}
