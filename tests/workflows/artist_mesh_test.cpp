// SPDX-License-Identifier: Apache-2.0
// Meshes as artists draw them, through `upscale` and back.
#include "tests/methods/upscaling/models.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/core/random.h"
#include "tulle/geometry/upsampling.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/gltf_motion.h"
#include "tulle/io/obj.h"
#include "tulle/io/pc2.h"
#include "tulle/workflows/upscale.h"
#include "tulle/workflows/vertex_order.h"

#include <doctest/doctest.h>

#include <numeric>

using namespace tulle;
using namespace tulle::workflows;
using methods::test::flat;
using methods::test::waving;

namespace {

const geometry::GridSize size{5, 7};

std::vector<int> shuffled(int count) {
    std::vector<int> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    Random random(3);
    for (size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[static_cast<size_t>(random.uniform(0, static_cast<double>(i)))]);
    return order;
}

// A waving grid whose vertices are in any order, as a mesh and a point cache that begins at frame 12.
struct Drawn {
    test::TemporaryFolder folder;
    std::vector<int> order = shuffled(size.vertex_count());  // the number of each place of the grid
    geometry::TriangleMesh mesh;

    Drawn() {
        const geometry::TriangleMesh grid = geometry::make_grid_cloth(size, {}).mesh;
        mesh.faces = geometry::faces_of_grid(size, grid.tex_coords);
        for (geometry::Corner& corner : mesh.faces.corners) corner.vertex = order[static_cast<size_t>(corner.vertex)];
        mesh.triangles = geometry::fan_triangles(mesh.faces);
        mesh.positions = numbered(flat(size));
        mesh.tex_coords.resize(size.vertex_count(), 2);
        for (int v = 0; v < size.vertex_count(); ++v)
            mesh.tex_coords.row(order[static_cast<size_t>(v)]) = grid.tex_coords.row(v);
        io::write_obj(folder / "coarse.obj", mesh);
        io::Pc2Writer writer(folder / "coarse.pc2", size.vertex_count(), 4, /*start_frame=*/12);
        for (int f = 0; f < 4; ++f) writer.append(frame(f));
        writer.commit();
    }
    Positions numbered(const Positions& grid) const {
        Positions result(grid.rows(), 3);
        for (long v = 0; v < grid.rows(); ++v) result.row(order[static_cast<size_t>(v)]) = grid.row(v);
        return result;
    }
    Positions frame(int f) const { return numbered(waving(flat(size), 0.2 * f)); }
    UpscaleSettings settings(const char* output) const {
        return {.source = {.path = folder / "coarse.pc2", .rest = folder / "coarse.obj", .frame_rate = 24},
                .output = folder / output,
                .method = "bicubic",
                .factor = 3};
    }
};

std::string error_with(const UpscaleSettings& settings) {
    return test::error_of([&] { (void)upscale(settings); });
}

}  // namespace

TEST_CASE("A shuffled grid is recognised, and its vertices, texture, front, frames and rate come back") {
    const Drawn drawn;
    const UpscaleReport report = upscale(drawn.settings("fine.pc2"));
    REQUIRE(report.grid.has_value());
    CHECK(report.grid->rows * report.grid->columns == 35);
    CHECK(report.particles == 13 * 19);
    const io::Pc2Reader fine(drawn.folder / "fine.pc2");
    CHECK(fine.start_frame() == 12);
    CHECK(fine.frame_count() == 4);
    for (int f = 0; f < 4; ++f)
        CHECK(fine.frame(f).topRows(35).isApprox(drawn.frame(f).cast<float>().cast<double>(), 1e-6));
    const geometry::TriangleMesh mesh = io::read_obj(drawn.folder / "fine.obj");
    CHECK(mesh.faces.sizes == std::vector<int>(12 * 18, 4));
    CHECK(mesh.tex_coords.topRows(35).isApprox(drawn.mesh.tex_coords, 1e-9));
    const Positions fine_rest = mesh.positions;  // the texture is that of the place, also of new vertices
    for (long v = 0; v < fine_rest.rows(); ++v) {
        const double u = (fine_rest(v, 0) - fine_rest.col(0).minCoeff()) / (6 * 0.05);
        CHECK(std::abs(mesh.tex_coords(v, 0) - u) < 1e-6);
    }
    const Vector3 front = geometry::vertex_normals(drawn.mesh.positions, drawn.mesh.triangles).row(0);
    const Positions normals = geometry::vertex_normals(mesh.positions, mesh.triangles);
    for (long v = 0; v < normals.rows(); ++v) CHECK(normals.row(v).dot(front) > 0.99);
    CHECK(test::contains(read_file(drawn.folder / "fine.obj", 1 << 20), "frames 12 to 15 at 24 frames per second"));
}

TEST_CASE("What is recognised is upscaled as the same grid given by rows") {
    const Drawn drawn;
    upscale(drawn.settings("fine.h5"));
    const io::CacheReader fine(drawn.folder / "fine.h5");
    CHECK(fine.header().grid.rows == 0);  // it is numbered in another way
    Positions expected;
    geometry::Upsampling(geometry::make_miniature({13, 19}, 3), geometry::Interpolation::Bicubic)
        .apply(waving(flat(size), 0.4), expected);
    // Every vertex of one is a vertex of the other.
    const Positions found = fine.positions(2);
    for (long v = 0; v < expected.rows(); ++v)
        CHECK((found.rowwise() - expected.row(v)).rowwise().norm().minCoeff() < 1e-6);
}

TEST_CASE("A point cache goes out and comes in again where it was, whichever axis is up") {
    const Drawn drawn;
    for (const char up : {'y', 'z'}) {
        UpscaleSettings settings = drawn.settings("fine.h5");
        settings.source.up_axis = up;
        upscale(settings);
        CHECK(io::CacheReader(drawn.folder / "fine.h5").header().up_axis == up);
        settings.output = drawn.folder / "fine.pc2";
        upscale(settings);
        const Positions coarse = drawn.frame(3), fine = io::Pc2Reader(drawn.folder / "fine.pc2").frame(3);
        CHECK((fine.topRows(35) - coarse).cwiseAbs().maxCoeff() < 1e-6);
    }
}

TEST_CASE("Results are written as every format that their name promises, and those are read again") {
    const Drawn drawn;
    for (const char* name : {"a.h5", "a.pc2", "a.usda", "a.glb", "a.gltf", "a-obj"})
        CHECK(upscale(drawn.settings(name)).frames == 4);
    const Positions expected = io::Pc2Reader(drawn.folder / "a.pc2").frame(3);
    CHECK(io::read_gltf_motion(drawn.folder / "a.glb").frames[3].cast<double>().isApprox(expected, 1e-6));
    CHECK(io::read_obj(drawn.folder / "a-obj/cloth.0015.obj").positions.isApprox(expected, 1e-6));
    for (const char* source : {"a.glb", "a-obj"}) {
        UpscaleSettings again = drawn.settings("b.pc2");
        again.source = {.path = drawn.folder / source};
        again.factor = 2;
        const UpscaleReport report = upscale(again);
        CHECK(report.coarse_particles == 13 * 19);
        CHECK(report.grid.has_value());
        CHECK(io::Pc2Reader(drawn.folder / "b.pc2").frame(3).topRows(13 * 19).isApprox(expected, 1e-6));
    }
    for (const char* name : {"c.usdc", "c.obj", "c.fbx"}) error_with(drawn.settings(name));
    for (const std::string& name : drawn.folder.names()) CHECK_FALSE(name.starts_with("c."));
}

TEST_CASE("A mesh that is no grid goes to the triangle method and keeps its vertices, quads and texture") {
    const test::TemporaryFolder folder;
    // Three quads around a vertex, and a triangle.
    geometry::TriangleMesh mesh;
    mesh.positions.resize(8, 3);
    mesh.positions << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0, 0.5, -1, 0, 2, 1, 0;
    mesh.tex_coords = mesh.positions.leftCols<2>() / 4;
    mesh.faces.has_tex_coords = true;
    const auto corner = [&](int v) { return geometry::Corner{v, mesh.tex_coords.row(v)}; };
    mesh.faces.add(std::array{corner(0), corner(1), corner(2), corner(3)});
    mesh.faces.add(std::array{corner(0), corner(3), corner(4), corner(5)});
    mesh.faces.add(std::array{corner(0), corner(5), corner(6), corner(1)});
    mesh.faces.add(std::array{corner(1), corner(7), corner(2)});
    mesh.triangles = geometry::fan_triangles(mesh.faces);
    io::write_obj(folder / "coarse.obj", mesh);
    io::Pc2Writer writer(folder / "coarse.pc2", 8, 2);
    for (const double bend : {0.0, 0.3}) {
        Positions bent = mesh.positions;
        bent.col(2).array() += bend * bent.col(0).array().square();
        writer.append(bent);
    }
    writer.commit();
    save_upscaling_model(folder / "a.safetensors", methods::test::zero_model("hierarchy", "general", 4));
    const UpscaleReport report = upscale({.source = {.path = folder / "coarse.pc2", .rest = folder / "coarse.obj"},
                                          .output = folder / "fine.pc2",
                                          .factor = 4,
                                          .weights = folder / "a.safetensors"});
    CHECK(report.method == "hierarchy");
    CHECK_FALSE(report.grid.has_value());
    const geometry::TriangleMesh fine = io::read_obj(folder / "fine.obj");
    CHECK(std::count(fine.faces.sizes.begin(), fine.faces.sizes.end(), 4) == 3 * 16);
    CHECK(std::count(fine.faces.sizes.begin(), fine.faces.sizes.end(), 3) == 16);
    CHECK(fine.positions.topRows(8).isApprox(mesh.positions, 1e-9));
    CHECK(fine.tex_coords.topRows(8).isApprox(mesh.tex_coords, 1e-9));
    const io::Pc2Reader points(folder / "fine.pc2");
    CHECK(points.vertex_count() == fine.vertex_count());
    CHECK((points.frame(0) - fine.positions).cwiseAbs().maxCoeff() < 1e-6);  // flat stays flat
}

TEST_CASE("Points in another order than was said are refused, and what to do is said") {
    const geometry::GridSize flag{25, 37};
    const Positions right = waving(flat(flag), 0.3);
    CHECK_NOTHROW(check_grid_order(right, flag, "x"));
    const auto grid_error = [&](const Positions& points, const geometry::GridSize& grid) {
        return test::error_of([&] { check_grid_order(points, grid, "x.pc2"); });
    };
    CHECK(test::contains(grid_error(right, {37, 25}), "give --grid 25x37"));
    const geometry::GridSize nearly_square{12, 13};
    CHECK(test::contains(grid_error(flat(nearly_square), {13, 12}), "give --grid 12x13"));
    Positions snake = right, mixed = right;  // every second row backwards; any order
    for (int r = 1; r < flag.rows; r += 2)
        for (int c = 0; c < flag.columns; ++c)
            snake.row(flag.index(r, c)) = right.row(flag.index(r, flag.columns - 1 - c));
    const std::vector<int> order = shuffled(flag.vertex_count());
    for (int v = 0; v < flag.vertex_count(); ++v) mixed.row(v) = right.row(order[static_cast<size_t>(v)]);
    for (const Positions& wrong : {snake, mixed})
        CHECK(test::contains(grid_error(wrong, flag), "give the mesh they belong to with --mesh"));
    geometry::TriangleMesh mesh = geometry::make_grid_cloth(flag, {}).mesh;
    mesh.positions = flat(flag);
    CHECK_NOTHROW(check_mesh_order(right, mesh, "x.pc2", "x.obj"));
    CHECK_NOTHROW(check_mesh_order(100 * right, mesh, "x.pc2", "x.obj"));  // centimetres
    CHECK(test::contains(test::error_of([&] { check_mesh_order(mixed, mesh, "x.pc2", "x.obj"); }),
                         "in another order than the vertices of 'x.obj'"));
}

TEST_CASE("Sheets that are folded, stretched, unevenly spaced or of long cells are not refused") {
    const geometry::GridSize grid{20, 30};
    const Positions even = flat(grid);
    Positions folded = even, stretched = even, uneven = even, long_cells = even;
    for (long v = 0; v < even.rows(); ++v) {
        const double x = even(v, 0) - even.col(0).minCoeff(), middle = 14.5 * 0.05;
        if (x > middle) {  // back over itself, a millimetre above
            folded(v, 0) = even.col(0).minCoeff() + 2 * middle - x;
            folded(v, 1) += 1e-3;
        }
        uneven(v, 0) = x * x * x;
        if (x < 0.1) stretched(v, 0) -= 0.2;
        long_cells(v, 0) = 30 * x;
    }
    for (const Positions& points : {folded, stretched, uneven, long_cells})
        CHECK_NOTHROW(check_grid_order(points, grid, "x"));
}

TEST_CASE("A file's name does not choose the weights") {
    const Drawn drawn;
    const auto models = drawn.folder / "models";
    std::filesystem::create_directory(models);
    for (const char* scene : {"flag", "general"})
        save_upscaling_model(models / fmt::format("miniature-{}-x2-canonical.safetensors", scene),
                             methods::test::random_model("miniature", scene, 2, methods::Features::Canonical));
    ::setenv("TULLE_MODELS", models.c_str(), 1);
    for (const char* name : {"flag.pc2", "other.pc2"}) {
        std::filesystem::copy(drawn.folder / "coarse.pc2", drawn.folder / name);
        UpscaleSettings settings = drawn.settings("fine.h5");
        settings.source.path = drawn.folder / name;
        settings.method = "miniature";
        settings.factor = 2;
        CHECK(upscale(settings).weights == (models / "miniature-general-x2-canonical.safetensors").string());
        settings.factor = 7;
        const std::string message = error_with(settings);
        CHECK(test::contains(message, models.string()));
        CHECK(test::contains(message, "choose a factor that has some (--factor 2"));
    }
    ::unsetenv("TULLE_MODELS");
}
