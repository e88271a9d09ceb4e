// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/pair_kernel.h"

#include "tulle/collision/separation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tulle::collision {

namespace {

constexpr int count = 4096;  // pairs
constexpr double rounding = 2e-6;

struct MovingPairs {
    std::vector<float> start, end;
    std::vector<std::array<int, 4>> vertices;

    PairBatch batch(PairKind kind) const {
        return {kind == PairKind::EdgeEdge, reinterpret_cast<const int(*)[4]>(vertices.data()), count};
    }
    RowMotion motion() const { return {start.data(), end.data()}; }
    FourPoints points(int pair, double time) const {
        FourPoints result;
        for (size_t k = 0; k < 4; ++k)
            for (size_t axis = 0; axis < 3; ++axis) {
                const size_t i = 4 * static_cast<size_t>(vertices[static_cast<size_t>(pair)][k]) + axis;
                result[k](static_cast<long>(axis)) = start[i] + time * (static_cast<double>(end[i]) - start[i]);
            }
        return result;
    }
};

// Parts about a centimetre long and about as far apart. A third of them are parallel, narrow, or of no size at all.
MovingPairs random_pairs(double way) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&](double size) -> Vector3 {
        return size * Vector3(number(random), number(random), number(random));
    };
    MovingPairs pairs;
    for (int i = 0; i < count; ++i) {
        FourPoints x;
        const Vector3 corner = vector(1);
        for (Vector3& point : x) point = corner + vector(0.01);
        if (i % 9 == 0) x[3] = x[2] + (x[1] - x[0]) + vector(1e-5);        // parallel edges
        if (i % 9 == 1) x[3] = x[1] + 0.7 * (x[2] - x[1]) + vector(1e-5);  // a sliver
        if (i % 9 == 2) x[1] = x[2] = x[3];                                // no edge, no triangle
        const Vector3 common = vector(way);
        pairs.vertices.push_back({4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
        for (const Vector3& point : x) {
            const Vector3 moved = point + common + vector(0.2 * way);
            for (long axis = 0; axis < 3; ++axis) pairs.start.push_back(static_cast<float>(point(axis)));
            for (long axis = 0; axis < 3; ++axis) pairs.end.push_back(static_cast<float>(moved(axis)));
            pairs.start.push_back(0);
            pairs.end.push_back(0);
        }
    }
    return pairs;
}

double nearest_on_way(PairKind kind, const MovingPairs& pairs, int pair) {
    double nearest = separation(kind, pairs.points(pair, 0)).distance();
    for (int i = 1; i <= 20; ++i)
        nearest = std::min(nearest, separation(kind, pairs.points(pair, i / 20.0)).distance());
    return nearest;
}

}  // namespace

TEST_CASE("Bounds in single precision are never above the distance, and close to it where nothing moves") {
    for (const PairKernel* kernel : {&portable_pair_kernel, &pair_kernel()})
        for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge})
            for (const double way : {0.0, 0.01}) {
                CAPTURE(static_cast<int>(kind));
                CAPTURE(way);
                const MovingPairs pairs = random_pairs(way);
                std::vector<float> bounds(count);
                kernel->bound_distances(pairs.batch(kind), pairs.motion(), bounds.data());
                int sharp = 0;
                for (int i = 0; i < count; ++i) {
                    const double nearest = nearest_on_way(kind, pairs, i);
                    CAPTURE(i);
                    REQUIRE(bounds[static_cast<size_t>(i)] <= nearest + rounding);
                    sharp += bounds[static_cast<size_t>(i)] >= 0.999 * nearest - rounding ? 1 : 0;
                }
                if (way == 0) CHECK(sharp > 0.8 * count);
            }
}

TEST_CASE("No pair that ends too near, or comes too near on its way, is passed over") {
    constexpr double thickness = 0.003, gap = 0.0003;
    for (const PairKernel* kernel : {&portable_pair_kernel, &pair_kernel()})
        for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge}) {
            CAPTURE(static_cast<int>(kind));
            const MovingPairs pairs = random_pairs(0.01);
            std::vector<char> meets(count);
            kernel->find_meetings(pairs.batch(kind), pairs.motion(), static_cast<float>(thickness + rounding),
                                  static_cast<float>(gap + rounding), meets.data());
            int needed = 0;
            for (int i = 0; i < count; ++i) {
                const bool near =
                    separation(kind, pairs.points(i, 1)).distance() < thickness || nearest_on_way(kind, pairs, i) < gap;
                CAPTURE(i);
                if (near) REQUIRE(meets[static_cast<size_t>(i)] == 1);
                needed += near ? 1 : 0;
            }
            CHECK(needed > count / 20);
            const auto found = std::count(meets.begin(), meets.end(), 1);
            CHECK(found < count);
            CHECK(found < 3 * needed);
        }
}

}  // namespace tulle::collision
