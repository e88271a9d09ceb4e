// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/butterfly_upscaler.h"

#include "tests/methods/upscaling/models.h"
#include "tests/neural/symmetries.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

// A fan of triangles of very different sizes.
geometry::TriangleMesh fan() {
    geometry::TriangleMesh mesh;
    mesh.positions.resize(6, 3);
    mesh.positions << 0, 0, 0, 0.3, 0, 0.02, 0.1, 0, 0.4, -0.1, 0, 0.1, -0.2, 0, -0.3, 0.2, 0, -0.1;
    mesh.triangles.resize(5, 3);
    mesh.triangles << 0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1;
    return mesh;
}

FineCloth twice_subdivided(const geometry::TriangleMesh& coarsest) {
    geometry::TriangleMesh mesh = coarsest;
    for (int level = 0; level < 2; ++level) mesh = geometry::refine(mesh, geometry::subdivide(mesh));
    return {.mesh = mesh, .grid = {}, .coarsest = coarsest};
}

}  // namespace

TEST_CASE("The butterfly is a level of the hierarchy whose network says zero, on an irregular mesh") {
    const geometry::TriangleMesh mesh = fan();
    const geometry::Subdivision level = geometry::subdivide(mesh);
    const Positions fine_rest = geometry::refine(mesh, level).positions;
    const ButterflyUpscaler butterfly(level, fine_rest);
    neural::Network zero = neural::test::symmetric_network(triangle_symmetry(), {24, 24});
    zero.layers.back().weights.setZero();
    zero.layers.back().bias.setZero();
    zero.normalisation.output_mean.setZero();
    const TriangleUpscaler learned(level, butterfly_stencils(level, fine_rest), fine_rest, zero,
                                   {.features = Features::Canonical});
    const Positions coarse = waving(mesh.positions);
    CHECK(largest_distance(upscaled(butterfly, coarse), upscaled(learned, coarse)) < 1e-6);
    CHECK(
        largest_distance(upscaled(butterfly, coarse), geometry::refine({coarse, mesh.triangles, {}}, level).positions) >
        1e-3);  // it is not linear
}

TEST_CASE("The butterfly reproduces parabolas inside of a grid, and an affine cloth everywhere on any mesh") {
    const geometry::GridSize size{33, 33};
    const FineCloth grid = flat_cloth(size);
    const auto bent = [&](const Positions& rest) {
        Positions positions = rest;
        for (long v = 0; v < rest.rows(); ++v)
            positions(v, 1) += 0.3 * rest(v, 0) * rest(v, 0) + 0.2 * rest(v, 0) * rest(v, 2);
        return positions;
    };
    const std::vector<int> coarse = geometry::make_miniature(size, 4).fine_vertices();
    const Positions truth = bent(grid.mesh.positions);
    const Positions fine =
        upscaled(*upscaling_kind("butterfly").make_upscaler(grid, 4, nullptr), geometry::sample(coarse, truth));
    for (int row = 12; row <= 20; ++row)  // three coarse cells from the border
        CHECK((fine - truth).middleRows(size.index(row, 12), 9).norm() < 1e-5);

    const FineCloth irregular = twice_subdivided(fan());
    Matrix3 affine;
    affine << 1.2, 0.1, -0.3, 0, 0.9, 0.4, 0.2, 0, 1.1;
    const auto upscaler = upscaling_kind("butterfly").make_upscaler(irregular, 4, nullptr);
    CHECK(largest_distance(upscaled(*upscaler, irregular.coarsest.positions * affine.transpose()),
                           irregular.mesh.positions * affine.transpose()) < 1e-6);
}

TEST_CASE("The butterfly carries numbers linearly and sets no bounds") {
    const geometry::TriangleMesh mesh = fan();
    const geometry::Subdivision level = geometry::subdivide(mesh);
    const ButterflyUpscaler butterfly(level, geometry::refine(mesh, level).positions);
    const Eigen::VectorXf coarse = mesh.positions.col(0).cast<float>();
    CHECK((butterfly.carry(coarse) - geometry::refine(mesh, level).positions.col(0).cast<float>()).norm() < 1e-6f);
    CHECK_FALSE(butterfly.tells_bounds());
    CHECK(butterfly.vertex_bounds({}) == Eigen::VectorXf::Zero(butterfly.fine_count()));
}
