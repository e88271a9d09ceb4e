// SPDX-License-Identifier: Apache-2.0
// Inputs that no simulator would make. TULLE_HOSTILE_INPUTS=10000 tries more of them than CI does.
#include "tests/projections/support.h"

#include <cstdlib>

using namespace tulle;
using namespace tulle::projections;
using namespace tulle::projections::test;

namespace {

int input_count() {
    const char* text = std::getenv("TULLE_HOSTILE_INPUTS");
    return text ? std::atoi(text) : 300;
}

// Two cloths, three vertices that belong to none, and an edge of no length.
Cloth two_cloths(std::vector<int> fixed) {
    const Tube a = make_tube(7, 4), b = make_tube(5, 3, 2);
    const int first = static_cast<int>(a.positions.rows()), second = static_cast<int>(b.positions.rows());
    Positions positions = Positions::Zero(first + second + 3, 3);
    positions.topRows(first) = a.positions;
    positions.middleRows(first, second) = b.positions.array() + 0.5;
    positions.row(1) = positions.row(0);
    Triangles triangles(a.triangles.rows() + b.triangles.rows(), 3);
    triangles << a.triangles, (b.triangles.array() + first).matrix();
    return cloth_of_areas(positions, triangles, std::move(fixed));
}

Positions hostile(const Cloth& cloth, int kind, Random& random) {
    Positions positions = cloth.rest_positions;
    const auto vertex = [&] { return static_cast<long>(random.uniform() * static_cast<double>(positions.rows())); };
    const Positions noise = random_rows(positions.rows(), 1, random.bits());
    switch (kind) {
        case 0:
            positions.setConstant(random.uniform(-1, 1));
            break;  // one point
        case 1:
            positions.col(2) *= -random.uniform(0.5, 2);
            break;  // inside out
        case 2:
            positions = std::pow(10, random.uniform(-9, 3)) * noise;
            break;
        case 3:
            positions.row(vertex()) << 1e6, -1e6, 1e6;
            break;
        case 4:
            positions.rightCols(2).setZero();
            break;  // one line
        case 5:
            positions *= std::pow(10, random.uniform(-12, 12));
            break;
        case 6:
            positions += 0.05 * noise;
            break;
        default:
            for (int k = 0; k < 5; ++k) positions.row(vertex()) = positions.row(vertex());
            positions.row(vertex()).array() += 1e9;
    }
    return positions;
}

void check_survives(const Projection& projection, const Cloth& cloth, const Positions& positions) {
    const Projected projected = projection.apply(positions);
    REQUIRE(projected.positions.allFinite());
    CHECK(projected.report.solved == projected.report.problem.empty());
    CHECK(std::isfinite(projected.report.gap));
    CHECK(std::isfinite(projected.report.gradient));
    for (const int v : cloth.fixed) CHECK(projected.positions.row(v) == positions.row(v));
    if (projected.report.solved) CHECK(projection.adjoint(projected, positions).positions.allFinite());
}

}  // namespace

TEST_CASE("Hostile inputs are solved or clearly reported, never lost") {
    const Cloth free = two_cloths({}), pinned = two_cloths({3, 17, 30});
    const Inextensibility loose(free, {.max_iterations = 3000}), held(pinned, {.max_iterations = 3000}),
        between(free, {.compression = 0.1, .max_iterations = 500});
    const Quasistatics soft(free, {.max_iterations = 60}), tied(pinned, {.mu = 0.01, .max_iterations = 60});
    Random random(42);
    for (int i = 0; i < input_count(); ++i) {
        CAPTURE(i);
        const Positions positions = hostile(free, i % 8, random);
        check_survives(loose, free, positions);
        check_survives(held, pinned, positions);
        check_survives(between, free, positions);
        check_survives(soft, free, positions);
        check_survives(tied, pinned, positions);
    }
}
