// SPDX-License-Identifier: Apache-2.0
#include "tests/projections/support.h"

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

constexpr double exactly = 1e-13;  // tolerance of what is differenced

Inextensibility exact_inextensibility(const Cloth& cloth) {
    return {cloth, {.stretch = 0.01, .tolerance = exactly, .max_iterations = 200'000}};
}

// Figure 11 of the paper: three points on a line, all three edges at their limits.
struct Figure11 {
    Cloth cloth{Positions::Zero(3, 3), Triangles::Zero(1, 3), VectorX::Ones(3), {}};
    Positions positions = Positions::Zero(3, 3);

    Figure11() {
        cloth.rest_positions << 0, 0, 0, 1, 0, 0, 2, 0, 0;
        cloth.triangles << 0, 1, 2;
        positions << -0.5, 0, 0, 1, 0, 0, 2.5, 0, 0;
    }
};

}  // namespace

TEST_CASE("The adjoint of inextensibility equals finite differences where many edges are at their limits") {
    const Tube tube = make_tube(9, 6);
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Positions positions = deform(tube, {.shrink = 1, .waves = 0.01, .noise = 0.1}, seed);
        const Inextensibility projection = exact_inextensibility(tube_cloth(tube));
        check_adjoint(projection, positions, 1e-7, 1e-5);
    }
}

TEST_CASE("The adjoint of inextensibility is the identity where nothing is too long") {
    const Tube tube = make_tube(9, 6);
    const Inextensibility projection(tube_cloth(tube));
    const Projected projected = projection.apply(0.9 * tube.positions);
    const Positions weights = random_rows(tube.positions.rows(), 1, 5);
    const Gradients gradients = projection.adjoint(projected, weights);
    CHECK(distance(gradients.positions, weights) < 1e-15);
    CHECK(gradients.report.active == 0);
}

TEST_CASE("The adjoint of inextensibility equals finite differences with fixed vertices and planes") {
    const Cloth cloth = flat_cloth(4, 6, {0, 5});
    Positions positions = cloth.rest_positions;
    positions.col(1) *= 1.3;
    positions.col(2) = 0.05 * (30 * positions.col(0)).array().sin();
    positions += random_rows(positions.rows(), 0.005, 8);
    std::vector<ContactPlane> planes;
    for (int v = 0; v < positions.rows(); ++v)
        if (v != 0 && v != 5) planes.push_back({v, Vector3(0.1, 0.2, 1).normalized(), 0.02});
    check_adjoint(exact_inextensibility(cloth), positions, 1e-7, 1e-5, {.planes = planes});
}

TEST_CASE("The adjoint of inextensibility equals finite differences with a limit on compression") {
    const Tube tube = make_tube(8, 4);
    const Positions positions = deform(tube, {.shrink = 0.99, .noise = 0.03});
    const Inextensibility projection(
        tube_cloth(tube), {.stretch = 0.02, .compression = 0.02, .tolerance = 1e-11, .max_iterations = 200'000});
    const Projected projected = projection.apply(positions);
    REQUIRE(projected.report.solved);
    check_adjoint(projection, positions, 1e-6, 1e-4);
}

TEST_CASE("In the paper's figure 11 forces are not unique: said in the report, and the adjoint is right all the same") {
    const Figure11 figure;
    const Inextensibility projection(figure.cloth, {.stretch = 0, .tolerance = 1e-11, .max_iterations = 1'000'000});
    const Projected projected = projection.apply(figure.positions);
    REQUIRE(projected.report.solved);
    Positions expected(3, 3);
    expected << 0, 0, 0, 1, 0, 0, 2, 0, 0;
    CHECK(distance(projected.positions, expected) < 1e-9);
    const Positions weights = random_rows(3, 1, 4);
    const Gradients gradients = projection.adjoint(projected, weights);
    CHECK(gradients.report.singular);
    CHECK(gradients.report.solved);
    // Along the line: the ends keep their distance and move with the mean, whatever the forces are.
    const double mean = weights.col(0).mean();
    for (int v = 0; v < 3; ++v) CHECK(gradients.positions(v, 0) == doctest::Approx(mean).epsilon(1e-8));
    // Across it: a bent chain is shorter, so the long edge lets go and only the two short ones pull. Steps are long,
    // because it takes the longer to let go the straighter it is.
    for (const int axis : {1, 2})
        for (int v = 0; v < 3; ++v) {
            constexpr double step = 1e-3;
            Positions up = figure.positions, down = figure.positions;
            up(v, axis) += step;
            down(v, axis) -= step;
            const double difference = (loss(projection, up, weights) - loss(projection, down, weights)) / (2 * step);
            CHECK(gradients.positions(v, axis) == doctest::Approx(difference).epsilon(1e-5));
        }
}

TEST_CASE("An edge of no length keeps its ends together, in the adjoint too") {
    Cloth cloth = flat_cloth(3, 3);
    cloth.rest_positions.row(4) = cloth.rest_positions.row(5);
    cloth = cloth_of_areas(cloth.rest_positions, cloth.triangles);
    const Positions positions = flat_cloth(3, 3).rest_positions + random_rows(9, 0.01, 2);
    const Inextensibility projection(cloth, {.tolerance = 1e-11, .max_iterations = 200'000});
    const Projected projected = projection.apply(positions);
    REQUIRE(projected.report.solved);
    CHECK((projected.positions.row(4) - projected.positions.row(5)).norm() < 1e-9);
    check_adjoint(projection, positions, 1e-6, 1e-5);
}

TEST_CASE("The adjoint of quasistatics equals finite differences") {
    const Tube tube = make_tube(9, 6);
    const Positions positions = deform(tube, {.shrink = 0.97, .waves = 0.01, .noise = 0.05});
    for (const double mu : {1.0, 0.1}) {
        const Quasistatics projection(tube_cloth(tube), {.mu = mu, .tolerance = 1e-12});
        check_adjoint(projection, positions, 1e-6, 1e-5);
    }
}

TEST_CASE("The adjoint of quasistatics is as exact as it was asked to be, and no more has to be paid for") {
    const Tube tube = make_tube(24, 14);
    const Positions positions = deform(tube, {.shrink = 0.97, .waves = 0.01, .noise = 0.05});
    const Positions weights = random_rows(positions.rows(), 1, 6);
    const Quasistatics exact(tube_cloth(tube));
    const Projected projected = exact.apply(positions);
    const Positions gradient = exact.adjoint(projected, weights).positions;
    double before = 0;
    for (const double tolerance : {1e-6, 1e-3, 1e-1}) {
        const Gradients loose =
            Quasistatics(tube_cloth(tube), {.adjoint_tolerance = tolerance}).adjoint(projected, weights);
        CHECK(loose.report.solved);
        CHECK(loose.report.residual <= tolerance);
        const double apart = (loose.positions - gradient).norm() / gradient.norm();
        CHECK(apart < 3 * tolerance);
        CHECK(apart >= before);
        before = apart;
    }
}

TEST_CASE("The adjoint of quasistatics equals finite differences with fixed vertices") {
    const Cloth cloth = flat_cloth(4, 6, {0, 5});
    Positions positions = cloth.rest_positions;
    positions.col(0) *= 1.2;
    positions += random_rows(positions.rows(), 0.01, 8);
    check_adjoint(Quasistatics(cloth, {.tolerance = 1e-12}), positions, 1e-6, 1e-5);
}

TEST_CASE("The gradients of quasistatics by mu, common and of each vertex, equal finite differences") {
    const Tube tube = make_tube(9, 6);
    const Positions positions = deform(tube, {.shrink = 1.05, .waves = 0.01, .noise = 0.05});
    const Quasistatics projection(tube_cloth(tube), {.tolerance = 1e-12});
    const Positions weights = random_rows(positions.rows(), 1, 6);
    VectorX mu = VectorX::Constant(positions.rows(), 0.1);
    const auto loss_of = [&](const VectorX& values) { return loss(projection, positions, weights, {.mu = &values}); };
    const Gradients gradients = projection.adjoint(projection.apply(positions, {.mu = &mu}), weights);
    constexpr double step = 1e-6;
    const VectorX all = VectorX::Constant(mu.size(), step);
    CHECK(gradients.mu == doctest::Approx((loss_of(mu + all) - loss_of(mu - all)) / (2 * step)).epsilon(1e-5));
    for (const int v : {0, 20, 53}) {
        VectorX one = VectorX::Zero(mu.size());
        one(v) = step;
        const double difference = (loss_of(mu + one) - loss_of(mu - one)) / (2 * step);
        CHECK(std::abs(gradients.vertex_mu(v) - difference) <= 1e-5 * gradients.vertex_mu.cwiseAbs().maxCoeff());
    }
}

TEST_CASE("The paper's definite adjoint differs from the exact one where springs are compressed") {
    const Tube tube = make_tube(9, 6);
    const Positions positions = deform(tube, {.shrink = 0.9, .waves = 0.01, .noise = 0.05});
    const Quasistatics exact(tube_cloth(tube)), definite(tube_cloth(tube), {.adjoint = Curvature::Definite});
    const Projected projected = exact.apply(positions);
    const Positions weights = random_rows(positions.rows(), 1, 6);
    CHECK(distance(exact.adjoint(projected, weights).positions, definite.adjoint(projected, weights).positions) > 1e-3);
}

TEST_CASE("The adjoint of two projections in turn equals finite differences") {
    const Tube tube = make_tube(9, 6);
    std::vector<std::unique_ptr<const Projection>> both;
    both.push_back(std::make_unique<Quasistatics>(tube_cloth(tube), QuasistaticsSettings{.mu = 1, .tolerance = 1e-12}));
    both.push_back(std::make_unique<Inextensibility>(
        tube_cloth(tube), InextensibilitySettings{.tolerance = exactly, .max_iterations = 200'000}));
    const ProjectionChain chain(std::move(both));
    const Positions positions = deform(tube, {.shrink = 1, .waves = 0.01, .noise = 0.08});
    check_adjoint(chain, positions, 1e-6, 1e-5);
}
