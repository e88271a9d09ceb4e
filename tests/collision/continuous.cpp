// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/continuous.h"
#include "tests/support/near.h"

#include "tests/collision/fixtures.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

FourPoints random_points(Random& random) {
    FourPoints points;
    for (Vector3& point : points) point = random_point(random, 1);
    return points;
}

// Degenerate on purpose: points on a coarse lattice, so that many are in line, parallel or the same.
FourPoints lattice_points(Random& random) {
    FourPoints points = random_points(random);
    for (Vector3& point : points) point = (2 * point).array().round() / 2;
    return points;
}

// The smallest distance over a fine grid of places on both parts: never less than the true one.
double sampled_distance(PairKind kind, const FourPoints& x) {
    constexpr int n = 60;
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= n; ++i) {
        for (int j = 0; j <= n; ++j) {
            const double s = static_cast<double>(i) / n, t = static_cast<double>(j) / n;
            if (kind == PairKind::EdgeEdge)
                best = std::min(best, (x[0] + s * (x[1] - x[0]) - x[2] - t * (x[3] - x[2])).norm());
            else if (i + j <= n)
                best = std::min(best, (x[0] - x[1] - s * (x[2] - x[1]) - t * (x[3] - x[1])).norm());
        }
    }
    return best;
}

void check_separation(PairKind kind, const FourPoints& x) {
    const Separation found = separation(kind, x);
    Vector3 vector = Vector3::Zero();
    for (size_t i = 0; i < 4; ++i) vector += found.weights[i] * x[i];
    CHECK((vector - found.vector).norm() < 1e-12);
    const size_t split = kind == PairKind::VertexTriangle ? 1 : 2;
    double first = 0, second = 0;
    for (size_t i = 0; i < 4; ++i) {
        (i < split ? first : second) += found.weights[i];
        CHECK((i < split ? found.weights[i] : -found.weights[i]) >= -1e-12);
    }
    CHECK(first == test::near(1));
    CHECK(second == test::near(-1));
    const double sampled = sampled_distance(kind, x);
    CHECK(found.distance() <= sampled + 1e-12);
    CHECK(found.distance() >= sampled - 0.06);
}

double distance_at(PairKind kind, const FourPoints& start, const FourPoints& end, double time) {
    FourPoints now;
    for (size_t i = 0; i < 4; ++i) now[i] = start[i] + time * (end[i] - start[i]);
    return separation(kind, now).distance();
}

// Counts how many of the trials came close, so that the caller can see that both outcomes were tried.
int check_against_sampling(PairKind kind, std::uint64_t seed) {
    Random random(seed);
    int approaches = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const FourPoints start = random_points(random);
        FourPoints end = random_points(random);
        const Vector3 common = random_point(random, 20);
        for (Vector3& point : end) point += common;
        const double gap = std::min(0.05, 0.5 * separation(kind, start).distance());
        const std::optional<double> time = time_of_approach(kind, start, end, gap);
        constexpr int samples = 2000;
        const int last = time ? static_cast<int>(std::floor(*time * samples)) : samples;
        for (int i = 0; i <= last; ++i)
            CHECK(distance_at(kind, start, end, static_cast<double>(i) / samples) > 0.5 * gap - 1e-12);
        if (!time) continue;
        ++approaches;
        CHECK(distance_at(kind, start, end, *time) <= gap + 1e-12);
    }
    return approaches;
}

}  // namespace

TEST_CASE("The separation of a vertex and a triangle is the shortest of densely sampled ones") {
    Random random(11);
    for (int trial = 0; trial < 300; ++trial) {
        check_separation(PairKind::VertexTriangle, random_points(random));
        check_separation(PairKind::VertexTriangle, lattice_points(random));
    }
}

TEST_CASE("The separation of two edges is the shortest of densely sampled ones, parallel or not") {
    Random random(12);
    for (int trial = 0; trial < 300; ++trial) {
        check_separation(PairKind::EdgeEdge, random_points(random));
        check_separation(PairKind::EdgeEdge, lattice_points(random));
        FourPoints parallel = random_points(random);
        parallel[3] = parallel[2] + random.uniform(-2, 2) * (parallel[1] - parallel[0]) + random_point(random, 1e-7);
        check_separation(PairKind::EdgeEdge, parallel);
    }
}

TEST_CASE("A vertex and a triangle are seen to approach exactly when densely sampled motion does") {
    const int approaches = check_against_sampling(PairKind::VertexTriangle, 13);
    CHECK(approaches > 40);
    CHECK(approaches < 360);
}

TEST_CASE("Two edges are seen to approach exactly when densely sampled motion does") {
    const int approaches = check_against_sampling(PairKind::EdgeEdge, 14);
    CHECK(approaches > 40);
    CHECK(approaches < 360);
}

TEST_CASE("A vertex shot through a triangle is stopped before it") {
    const FourPoints start = {Vector3(0.2, 0.2, 1), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    FourPoints end = start;
    end[0].z() = -99;
    const std::optional<double> time = time_of_approach(PairKind::VertexTriangle, start, end, 1e-3);
    REQUIRE(time);
    CHECK(*time < 0.01);
    CHECK(*time > 0.00998);
}

TEST_CASE("Pairs that move together never approach, however far they go") {
    const FourPoints start = {Vector3(0.2, 0.2, 0.01), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    FourPoints end = start;
    for (Vector3& point : end) point += Vector3(100, -50, 3);
    CHECK(relative_reach(PairKind::VertexTriangle, start, end) < 1e-10);
    CHECK_FALSE(time_of_approach(PairKind::VertexTriangle, start, end, 0.009));
}

TEST_CASE("Numbers that are not finite do not keep the detection busy for ever") {
    const FourPoints start = {Vector3(0.2, 0.2, 1), {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity(), 1e300}) {
        FourPoints end = start;
        end[0].z() = -bad;
        const auto time = time_of_approach(PairKind::VertexTriangle, start, end, 1e-3);
        CHECK((!time || *time <= 1));
    }
}

}  // namespace tulle::collision
