// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/continuous.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tulle::collision {

namespace {

// Pairs that graze each other at a distance just above the gap take some hundreds; more only if a point flies off to
// where numbers end. Stopping early is safe.
constexpr int most_advances = 10000;

FourPoints relative_motion(const FourPoints& start, const FourPoints& end) {
    FourPoints motion;
    Vector3 mean = Vector3::Zero();
    for (size_t i = 0; i < 4; ++i) {
        motion[i] = end[i] - start[i];
        mean += 0.25 * motion[i];
    }
    for (Vector3& m : motion) m -= mean;
    return motion;
}

double reach_of(PairKind kind, const FourPoints& motion) {
    std::array<double, 4> squared;
    for (size_t i = 0; i < 4; ++i) squared[i] = motion[i].squaredNorm();
    if (kind == PairKind::VertexTriangle)
        return std::sqrt(squared[0]) + std::sqrt(std::max({squared[1], squared[2], squared[3]}));
    return std::sqrt(std::max(squared[0], squared[1])) + std::sqrt(std::max(squared[2], squared[3]));
}

}  // namespace

double relative_reach(PairKind kind, const FourPoints& start, const FourPoints& end) {
    return reach_of(kind, relative_motion(start, end));
}

std::optional<double> time_of_approach(PairKind kind, const FourPoints& start, const FourPoints& end, double gap) {
    const FourPoints motion = relative_motion(start, end);
    const double reach = reach_of(kind, motion);
    double distance = separation(kind, start).distance();
    assert(gap > 0 && gap < distance);
    double time = 0;
    for (int advances = 0; advances < most_advances; ++advances) {
        const double advance = (distance - 0.5 * gap) / reach;
        if (!(time + advance < 1)) return std::nullopt;
        time += advance;
        FourPoints now = start;
        for (size_t i = 0; i < 4; ++i) now[i] += time * motion[i];
        distance = separation(kind, now).distance();
        if (!(distance > gap)) return time;
    }
    return time;
}

}  // namespace tulle::collision
