// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/flat_upsampling.h"

#include "tulle/core/random.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

using namespace tulle;
using namespace tulle::geometry;

namespace {

Positions random_positions(long count) {
    Random random(7);
    Positions positions(count, 3);
    for (double& value : positions.reshaped<Eigen::RowMajor>()) value = random.uniform(-1, 1);
    return positions;
}

// Every fine triangle lies on the triangle of its corners, and together they cover as much as those do.
void check_flat(const FlatUpsampling& flat, const Positions& coarse, const Triangles& coarse_triangles,
                const Triangles& fine_triangles) {
    const auto area = [](const Vector3& a, const Vector3& b, const Vector3& c) -> Vector3 {
        return (b - a).cross(c - a);
    };
    Positions fine;
    flat.apply(coarse, fine);
    const std::vector<std::array<int, 3>> corners = flat.corners_around(fine_triangles);
    double covered = 0, whole = 0;
    for (long t = 0; t < fine_triangles.rows(); ++t) {
        const auto& [i, j, k] = corners[static_cast<size_t>(t)];
        const Vector3 around = area(fine.row(i), fine.row(j), fine.row(k));
        const Vector3 own =
            area(fine.row(fine_triangles(t, 0)), fine.row(fine_triangles(t, 1)), fine.row(fine_triangles(t, 2)));
        CHECK(own.cross(around).norm() < 1e-12);
        for (const int v : fine_triangles.row(t))
            CHECK(std::abs(around.dot(fine.row(v).transpose() - fine.row(i).transpose())) < 1e-12);
        covered += own.norm();
    }
    for (const auto triangle : coarse_triangles.rowwise())
        whole += area(coarse.row(triangle(0)), coarse.row(triangle(1)), coarse.row(triangle(2))).norm();
    CHECK(covered == doctest::Approx(whole));
}

}  // namespace

TEST_CASE("A grid upsampled flat is the surface of the coarse grid, whatever its shape and factor") {
    for (const int factor : {2, 3, 4}) {
        CAPTURE(factor);
        const Miniature miniature = make_miniature({4 * factor + 1, 3 * factor + 1}, factor);
        check_flat(FlatUpsampling(miniature), random_positions(miniature.coarse.vertex_count()),
                   make_grid_cloth(miniature.coarse, {}).mesh.triangles,
                   make_grid_cloth(miniature.fine, {}).mesh.triangles);
    }
}

TEST_CASE("A mesh upsampled flat is the surface of the coarse mesh, at any number of levels") {
    const TriangleMesh coarsest = make_grid_cloth({4, 3}, {}).mesh;
    TriangleMesh finest = coarsest;
    for (int levels = 1; levels <= 3; ++levels) {
        CAPTURE(levels);
        finest = refine(finest, subdivide(finest));
        check_flat(FlatUpsampling(mesh_hierarchy(coarsest, levels)), random_positions(coarsest.positions.rows()),
                   coarsest.triangles, finest.triangles);
    }
}

TEST_CASE("Coarse vertices keep their places to the bit when they are upsampled flat") {
    const Miniature miniature = make_miniature({7, 10}, 3);
    const Positions coarse = random_positions(miniature.coarse.vertex_count());
    Positions fine;
    FlatUpsampling(miniature).apply(coarse, fine);
    CHECK(sample(miniature.fine_vertices(), fine) == coarse);
}
