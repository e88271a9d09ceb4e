// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/midpoint_stencils.h"

#include "tests/methods/upscaling/support.h"
#include "tulle/geometry/miniature.h"
#include "tulle/geometry/upsampling.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using geometry::Subdivision;

namespace {

// Flat, with vertices pushed about in its plane.
struct IrregularMesh {
    geometry::TriangleMesh mesh = geometry::make_grid_cloth({5, 6}, {.width = 0.5, .height = 0.4}).mesh;
    Subdivision level = geometry::subdivide(mesh);
    Positions fine_rest;

    IrregularMesh() {
        Random random(3);
        for (long v = 0; v < mesh.vertex_count(); ++v)
            mesh.positions.row(v) += 0.02 * Eigen::RowVector3d(random.uniform(-1, 1), 0, random.uniform(-1, 1));
        fine_rest = geometry::refine(mesh, level).positions;
    }
};

auto point_of(const Positions& positions) {
    return [&positions](int v) { return Point(positions.row(v).transpose().cast<float>()); };
}

// The butterfly in triangle t between its corners i and i + 1, as the method is described: what it does at rest is
// carried along by the triangle's own deformation and taken off.
Vector3 half_butterfly(const IrregularMesh& at, long t, int i, const Positions& coarse) {
    const auto bend = [&](const Positions& positions) {
        const auto corner = [&](int k) { return Vector3(positions.row(at.level.triangles(t, k % 3))); };
        const auto across = [&](int k) {
            const int vertex = at.level.across(t, k % 3);
            return vertex >= 0 ? Vector3(positions.row(vertex)) : Vector3(corner(k) + corner(k + 1) - corner(k + 2));
        };
        return Vector3(corner(i + 2) / 4 - (across(i + 1) + across(i + 2)) / 8);
    };
    const auto sides = [&](const Positions& positions) {
        Eigen::Matrix<double, 3, 2> both;
        for (int k = 0; k < 2; ++k)
            both.col(k) = positions.row(at.level.triangles(t, k + 1)) - positions.row(at.level.triangles(t, 0));
        return both;
    };
    const Eigen::Vector2d rest_bend = sides(at.mesh.positions).colPivHouseholderQr().solve(bend(at.mesh.positions));
    const Vector3 middle =
        (coarse.row(at.level.triangles(t, i)) + coarse.row(at.level.triangles(t, (i + 1) % 3))).transpose() / 2;
    return middle + bend(coarse) - sides(coarse) * rest_bend;
}

}  // namespace

TEST_CASE("The butterfly's stencils are the mean of what both triangles at an edge say, less what it does at rest") {
    const IrregularMesh at;
    const MidpointStencils stencils = butterfly_stencils(at.level, at.fine_rest);
    const Positions coarse = waving(at.mesh.positions);
    Positions sums = Positions::Zero(at.level.edges.rows(), 3);
    VectorX counts = VectorX::Zero(sums.rows());
    for (long t = 0; t < at.level.triangles.rows(); ++t)
        for (int i = 0; i < 3; ++i) {
            sums.row(at.level.edges_of_triangle(t, i)) += half_butterfly(at, t, i, coarse);
            counts(at.level.edges_of_triangle(t, i)) += 1;
        }
    for (long e = 0; e < sums.rows(); ++e) {
        const Vector3 found = stencils.at(e, point_of(coarse)).cast<double>();
        CHECK((found - Vector3(sums.row(e) / counts(e))).norm() < 1e-6);
    }
}

TEST_CASE("Bicubic stencils of a grid are the midpoints of bicubic interpolation, at its border too") {
    for (const geometry::GridSize size :
         {geometry::GridSize{5, 7}, geometry::GridSize{2, 3}, geometry::GridSize{3, 2}}) {
        const geometry::Miniature miniature = geometry::make_miniature({2 * size.rows - 1, 2 * size.columns - 1}, 2);
        const Positions coarse = waving(flat(size));
        Positions fine;
        geometry::Upsampling(miniature, geometry::Interpolation::Bicubic).apply(coarse, fine);
        const Subdivision level = geometry::subdivide_grid(size);
        const MidpointStencils stencils = bicubic_stencils(size);
        for (long e = 0; e < level.edges.rows(); ++e) {
            const Vector3 found = stencils.at(e, point_of(coarse)).cast<double>();
            CHECK((found - Vector3(fine.row(level.fine_midpoints[static_cast<size_t>(e)]))).norm() < 1e-6);
        }
    }
}

TEST_CASE("Bicubic stencils do not know along which diagonal the cells of a grid are cut") {
    // A sheet bent along one diagonal, and its mirror image, whose rows are those of the sheet from the other end.
    const geometry::GridSize size{6, 6}, fine{11, 11};
    const Positions rest = flat(size);
    Positions bent = rest, mirrored = rest;
    for (long v = 0; v < rest.rows(); ++v) {
        const double across = rest(v, 2), length = rest(0, 2) - rest(rest.rows() - 1, 2);
        bent(v, 1) = 0.02 * std::cos(9 * (rest(v, 0) + across));
        mirrored(v, 1) = 0.02 * std::cos(9 * (rest(v, 0) - length - across));
    }
    const MidpointStencils stencils = bicubic_stencils(size);
    const std::vector<int> midpoints = geometry::subdivide_grid(size).fine_midpoints;
    const auto height = [&](const Positions& coarse, int row, int column) {
        const auto edge = std::find(midpoints.begin(), midpoints.end(), fine.index(row, column)) - midpoints.begin();
        return stencils.at(edge, point_of(coarse)).y();
    };
    for (int row = 1; row < fine.rows; row += 2)
        for (int column = 1; column < fine.columns; column += 2)
            CHECK(std::abs(height(mirrored, row, column) - height(bent, fine.rows - 1 - row, column)) < 1e-6);
}

TEST_CASE("Weights of midpoint stencils add up to one") {
    const IrregularMesh at;
    for (const MidpointStencils& stencils : {butterfly_stencils(at.level, at.fine_rest), bicubic_stencils({4, 5})})
        for (long e = 0; e < 20; ++e) {
            double sum = 0;
            for (const auto& tap : stencils.of(e)) sum += tap.weight;
            CHECK(sum == doctest::Approx(1).epsilon(1e-6));
        }
}
