// SPDX-License-Identifier: Apache-2.0
#include "tests/projections/support.h"
#include "tulle/projections/ascent_constraints.h"
#include "tulle/projections/dual_ascent_reference.h"

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

struct Program {
    Edges edges;
    VectorX mobility, limits, lengths;
    Positions targets;
    AscentLayout layout;

    explicit Program(const Tube& tube) : edges(edges_of(tube.triangles)), lengths(edges.rows()) {
        mobility = VectorX::LinSpaced(tube.positions.rows(), 0.5, 2);
        for (long e = 0; e < edges.rows(); ++e)
            lengths(e) = (tube.positions.row(edges(e, 0)) - tube.positions.row(edges(e, 1))).norm();
        limits = 1.01 * lengths;
        targets = deform(tube, {.shrink = 1, .waves = 0.005, .noise = 0.08});
        layout = make_layout(edges, mobility, {});
    }
    AscentSolution ascend(const AscentKernels& kernels, int iterations, double tolerance = 1e-6) const {
        return ascend_dual(layout, {.targets = targets, .limits = limits, .lengths = lengths},
                           {.gap = tolerance, .violation = tolerance, .max_iterations = iterations}, kernels);
    }
};

}  // namespace

TEST_CASE("All kernels of dual ascent take the steps of the plain one") {
    for (const int around : {3, 5, 24, 47}) {
        const Program program(make_tube(around, 9));
        for (const AscentKernels* kernels : {&portable_ascent_kernels, &ascent_kernels()})
            for (const int iterations : {0, 1, 9, 40}) {
                const AscentSolution plain = program.ascend(reference_ascent_kernels, iterations);
                const AscentSolution fast = program.ascend(*kernels, iterations);
                CHECK(distance(plain.positions, fast.positions) < 1e-12);
                CHECK((plain.state.multipliers - fast.state.multipliers).cwiseAbs().maxCoeff() < 1e-12);
                CHECK(fast.objective == doctest::Approx(plain.objective).epsilon(1e-10));
                CHECK(fast.gap == doctest::Approx(plain.gap).epsilon(1e-8));
                CHECK(fast.violation == doctest::Approx(plain.violation).epsilon(1e-8));
            }
    }
}

TEST_CASE("The gap of dual ascent bounds how far the objective is from the best") {
    const Program program(make_tube(12, 9));
    const double best = program.ascend(reference_ascent_kernels, 100'000, 1e-11).objective;
    for (const int iterations : {8, 24, 80, 160}) {
        const AscentSolution early = program.ascend(ascent_kernels(), iterations);
        // D(λ) = P(r) − gap ≤ P*, where the gap is signed; here only its size is known.
        CHECK(early.objective * (1 - early.gap) <= best * (1 + 1e-9));
    }
}

TEST_CASE("The nearest point of a cap is nearer than any other, and its support is the largest product") {
    Random random(5);
    const auto draw = [&] { return Vector3(random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)); };
    for (int k = 0; k < 200; ++k) {
        const Cap cap{1.1, draw().normalized(), random.uniform(-0.5, 1.05)};
        const Vector3 point = draw();
        const Vector3 nearest = cap.nearest(point);
        CHECK(nearest.norm() <= cap.radius + 1e-12);
        CHECK(cap.direction.dot(nearest) >= cap.height - 1e-12);
        for (int j = 0; j < 50; ++j) {
            const Vector3 other = cap.nearest(draw());
            CHECK((point - nearest).norm() <= (point - other).norm() + 1e-12);
            CHECK(point.dot(other) <= cap.support(point) + 1e-12);
        }
    }
}
