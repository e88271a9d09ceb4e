// SPDX-License-Identifier: Apache-2.0
#include "tests/projections/support.h"
#include "tests/support/error_of.h"
#include "tulle/core/parallel.h"

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

const Deformation noisy = {.shrink = 0.96, .waves = 0.006, .noise = 0.06};

}  // namespace

TEST_CASE("The quasistatic energy's gradient and Hessian equal finite differences") {
    const Tube tube = make_tube(8, 5);
    const Positions x = deform(tube, noisy), targets = deform(tube, noisy, 9);
    const VectorX mu = VectorX::LinSpaced(x.rows(), 0.1, 0.5);
    const QuasistaticEnergy energy(tube_cloth(tube), {});
    const QuasistaticEnergy::Anchor anchor{targets, mu};
    const Positions direction = random_rows(x.rows(), 1, 3);
    constexpr double step = 1e-6;
    const Positions up = x + step * direction, down = x - step * direction;
    CHECK(energy.gradient(x, anchor).cwiseProduct(direction).sum() ==
          doctest::Approx((energy.value(up, anchor) - energy.value(down, anchor)) / (2 * step)).epsilon(1e-7));
    const Positions expected = (energy.gradient(up, anchor) - energy.gradient(down, anchor)) / (2 * step);
    const Positions found =
        multiply(energy.pattern(), energy.hessian(x, anchor, Curvature::Exact), energy.fixed(), direction);
    CHECK(distance(found, expected) < 1e-6 * expected.cwiseAbs().maxCoeff());
}

TEST_CASE("The Hessian in single precision is that in double precision, rounded") {
    const Tube tube = make_tube(30, 20);
    const Positions x = deform(tube, noisy);
    const VectorX mu = VectorX::Constant(x.rows(), 0.1);
    const QuasistaticEnergy energy(tube_cloth(tube), {});
    const QuasistaticEnergy::Anchor anchor{x, mu};
    for (const double kept : {0.0, 1.0}) {
        SingleBlocks single(energy.pattern());
        energy.hessian(x, anchor, kept, single);
        const SingleBlocks rounded(energy.pattern(), energy.hessian(x, anchor, kept));
        const auto check_near = [](const numerics::AlignedArray<float>& a, const numerics::AlignedArray<float>& b) {
            for (size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a.data()[i] - b.data()[i]) < 1e-4f);
        };
        check_near(single.diagonal, rounded.diagonal);
        check_near(single.between, rounded.between);
    }
}

TEST_CASE("Conjugate gradients in single precision solve what a factor solves") {
    const Tube tube = make_tube(30, 20);
    const Positions x = deform(tube, noisy), b = random_rows(x.rows(), 1, 2);
    const VectorX mu = VectorX::Constant(x.rows(), 0.1);
    const QuasistaticEnergy energy(tube_cloth(tube, {3, 77}), {});
    const BlockMatrix matrix = energy.hessian(x, {x, mu}, Curvature::Definite);
    Positions found;
    const BlockCgReport report = solve_single(energy.pattern(), SingleBlocks(energy.pattern(), matrix), energy.fixed(),
                                              b, found, {.tolerance = 1e-6, .max_iterations = 1000});
    CHECK_FALSE(report.negative_curvature);
    CHECK(report.residual <= 1e-6);
    Positions free = b;
    for (const int v : {3, 77}) free.row(v).setZero();
    CHECK((multiply(energy.pattern(), matrix, energy.fixed(), found) - free).norm() < 1e-4 * free.norm());
    for (const int v : {3, 77}) CHECK(found.row(v).isZero(0));
}

TEST_CASE("A cloth of no energy comes back as it was") {
    const Tube tube = make_tube(20, 12);
    const Quasistatics projection(tube_cloth(tube));
    CHECK(distance(projection.apply(tube.positions).positions, tube.positions) < 1e-9);
    const Positions elsewhere = moved(some_motion(), tube.positions);
    CHECK(distance(projection.apply(elsewhere).positions, elsewhere) < 1e-9);
    const Cloth flat = flat_cloth(7, 9);
    CHECK(distance(Quasistatics(flat).apply(flat.rest_positions).positions, flat.rest_positions) < 1e-9);
}

TEST_CASE("Quasistatics lowers stretch and compression, the more the weaker mu is") {
    const Tube tube = make_tube(24, 14);
    const Cloth cloth = tube_cloth(tube);
    const Positions positions = deform(tube, noisy);
    Stretch before = stretch_of(cloth, positions);
    for (const double mu : {1.0, 0.1, 0.01}) {
        const Projected projected = Quasistatics(cloth, {.mu = mu}).apply(positions);
        CHECK(projected.report.solved);
        CHECK(projected.report.gradient <= 1e-6);
        const Stretch after = stretch_of(cloth, projected.positions);
        CHECK(after.largest < before.largest);
        CHECK(after.smallest > before.smallest);
        before = after;
    }
}

TEST_CASE("Quasistatics commutes with rigid motion, and doubled lengths double the answer") {
    const Tube tube = make_tube(16, 10);
    const Positions positions = deform(tube, noisy);
    const Quasistatics projection(tube_cloth(tube), {.mu = 0.5, .tolerance = 1e-9});
    const Positions answer = projection.apply(positions).positions;
    CHECK(distance(projection.apply(moved(some_motion(), positions)).positions, moved(some_motion(), answer)) < 1e-8);
    Cloth doubled = tube_cloth(tube);
    doubled.rest_positions *= 2;
    CHECK(distance(Quasistatics(doubled, {.mu = 0.5, .tolerance = 1e-9}).apply(2 * positions).positions, 2 * answer) <
          1e-9);
}

TEST_CASE("Quasistatics has the same bits on 1, 2, 3 and 8 threads") {
    const Tube tube = make_tube(40, 30);
    const Positions positions = deform(tube, noisy);
    const Quasistatics projection(tube_cloth(tube));
    const int before = thread_count();
    std::vector<Projected> all;
    std::vector<Positions> gradients;
    for (const int threads : {1, 2, 3, 8}) {
        set_thread_count(threads);
        all.push_back(projection.apply(positions));
        gradients.push_back(projection.adjoint(all.back(), positions).positions);
    }
    set_thread_count(before);
    for (size_t i = 1; i < all.size(); ++i) {
        CHECK(all[i].positions == all[0].positions);
        CHECK(gradients[i] == gradients[0]);
    }
}

TEST_CASE("Quasistatics unfolds a cloth that has collapsed to a point") {
    const Cloth cloth = flat_cloth(5, 6);
    const Positions point = Positions::Constant(30, 3, 0.5);
    const Projected projected = Quasistatics(cloth, {.mu = 0.01}).apply(point);
    CHECK(projected.report.solved);
    CHECK(stretch_of(cloth, projected.positions).smallest > 0.5);
}

TEST_CASE("Fixed vertices stay where they are in quasistatics") {
    const Cloth cloth = flat_cloth(6, 9, {0, 8});
    Positions positions = cloth.rest_positions;
    positions.col(0) *= 1.2;
    positions += random_rows(positions.rows(), 0.01, 4);
    const Projected projected = Quasistatics(cloth).apply(positions);
    CHECK(projected.report.solved);
    for (const int v : {0, 8}) CHECK(projected.positions.row(v) == positions.row(v));
}

TEST_CASE("A warm start of quasistatics ends at rest too, in fewer steps") {
    const Tube tube = make_tube(24, 14);
    const Quasistatics projection(tube_cloth(tube));
    const Projected before = projection.apply(deform(tube, noisy));
    Positions next = deform(tube, noisy);
    next.col(2).array() += 1e-4 * (20 * next.col(0).array()).sin();
    const Projected cold = projection.apply(next), warm = projection.apply(next, {.previous = &before});
    CHECK(warm.report.solved);
    CHECK(warm.report.gradient <= 1e-6);
    CHECK(warm.report.iterations < cold.report.iterations);
}

TEST_CASE("Unsound settings of quasistatics are refused in a sentence") {
    using tulle::test::error_of;
    const Cloth cloth = flat_cloth(3, 3);
    CHECK(error_of([&] { Quasistatics(cloth, {.mu = 0}); }) == "mu is 0; it must be positive");
    for (const double tolerance : {0.0, 0.5})
        CHECK(tulle::test::contains(error_of([&] { Quasistatics(cloth, {.adjoint_tolerance = tolerance}); }),
                                    "at most 0.1"));
    const Quasistatics projection(cloth);
    const VectorX mu = VectorX::Constant(9, -1);
    CHECK(error_of([&] { (void)projection.apply(cloth.rest_positions, {.mu = &mu}); }) ==
          "mu must be positive and finite for each of the 9 vertices");
}
