// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_system.h"

#include "tulle/core/random.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;

namespace {

// A strip of vertices, each joined to the next three, with springs along random directions and some bending: definite.
struct Strip {
    Edges pairs;
    GarmentSystem system;
    Positions right;

    explicit Strip(int vertices) : pairs(pairs_of(vertices)), system(vertices, pairs), right(vertices, 3) {
        Random random(3);
        const auto direction = [&] {
            return Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        };
        for (const auto& pair : pairs.rowwise()) {
            const Vector3 d = 30 * direction();
            const double across = random.uniform(0, 5), bending = random.uniform(0, 3);
            const Matrix3 block = (across + bending) * Matrix3::Identity() + d * d.transpose();
            system.add(pair(0), block);
            system.add(pair(1), block);
            system.put_spring_between(system.pattern().find(pair(0), pair(1)), -across, d);
            system.add_between(system.pattern().find(pair(0), pair(1)), -bending);
        }
        for (int v = 0; v < vertices; ++v) {
            system.add(v, random.uniform(1, 20) * Matrix3::Identity());
            right.row(v) = direction();
        }
    }

    static Edges pairs_of(int vertices) {
        std::vector<std::pair<int, int>> found;
        for (int a = 0; a < vertices; ++a)
            for (int b = a + 1; b < std::min(a + 4, vertices); ++b) found.emplace_back(b, a);
        Edges edges(static_cast<long>(found.size()), 2);
        for (size_t i = 0; i < found.size(); ++i) edges.row(static_cast<long>(i)) << found[i].first, found[i].second;
        return edges;
    }
};

}  // namespace

TEST_CASE("The system of a garment's step is solved to single precision, whatever the size of its right-hand side") {
    for (const int vertices : {1, 2, 3, 50, 333}) {
        const double largest = vertices == 50 ? 1e12 : vertices == 333 ? 1e-12 : 1;
        Strip strip(vertices);
        const Positions right = largest * strip.right;
        Positions x;
        const projections::BlockCgReport report =
            strip.system.solve(right, x, {.tolerance = 1e-6, .max_iterations = 2000});
        CHECK(report.residual <= 1e-6);
        CHECK_FALSE(report.negative_curvature);
        CHECK((strip.system.times(x) - right).norm() < 1e-4 * right.norm());
    }
}

TEST_CASE("The matrix of a garment's step is symmetric and holds what was put in") {
    Strip strip(20);
    for (int a = 0; a < 20; ++a)
        for (int b = 0; b < 20; ++b) {
            Positions one = Positions::Zero(20, 3), other = Positions::Zero(20, 3);
            one(a, a % 3) = 1;
            other(b, (b + 1) % 3) = 1;
            CHECK(strip.system.times(one).cwiseProduct(other).sum() ==
                  doctest::Approx(strip.system.times(other).cwiseProduct(one).sum()));
        }
    GarmentSystem pair(2, strip.pairs.topRows(1));
    const Vector3 d(1, 2, 3);
    pair.put_spring_between(0, -0.5, d);
    pair.add_between(0, 2);
    Positions x(2, 3);
    x << 1, 0, 0, 0, 1, 0;
    const Positions product = pair.times(x);
    CHECK((Vector3(product.row(0)) - (Vector3(0, 1.5, 0) - d * 2)).norm() < 1e-6);
    CHECK((Vector3(product.row(1)) - (Vector3(1.5, 0, 0) - d * 1)).norm() < 1e-6);
}

TEST_CASE("Nothing on the right moves nothing, and a matrix that is not definite is told") {
    Strip strip(10);
    Positions x;
    CHECK(strip.system.solve(Positions::Zero(10, 3), x, {}).residual == 0);
    CHECK(x == Positions::Zero(10, 3));
    strip.system.clear();
    for (int v = 0; v < 10; ++v) strip.system.add(v, -Matrix3::Identity());
    CHECK(strip.system.solve(strip.right, x, {}).negative_curvature);
}
