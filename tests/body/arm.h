// SPDX-License-Identifier: Apache-2.0
// An arm of two bones along x with its elbow at the origin, and a tube around it whose weights go over smoothly there.
#pragma once

#include "tulle/body/skin.h"

#include <cmath>
#include <numbers>

namespace tulle::test {

using namespace tulle::body;

inline constexpr double arm_radius = 0.05;  // [m]
inline constexpr int rings = 41, around = 24;

inline Skeleton arm_skeleton() {
    Skeleton skeleton;
    skeleton.joints.push_back({.name = "upper", .parent = -1, .rest = {.translation = {-0.3, 0, 0}}});
    skeleton.joints.push_back({.name = "lower", .parent = 0, .rest = {.translation = {0.3, 0, 0}}});
    return skeleton;
}

// From x = −0.3 to 0.3; the forearm's weight grows from 0 to 1 within 8 cm of the elbow.
inline Skin arm_skin(const Skeleton& skeleton) {
    Skin skin;
    skin.positions.resize(rings * around, 3);
    skin.joints.resize(rings * around, 2);
    skin.weights.resize(rings * around, 2);
    for (int r = 0; r < rings; ++r) {
        for (int a = 0; a < around; ++a) {
            const double x = -0.3 + 0.6 * r / (rings - 1), angle = 2 * std::numbers::pi * a / around;
            const long v = r * around + a;
            skin.positions.row(v) << x, arm_radius * std::cos(angle), arm_radius * std::sin(angle);
            const double s = std::clamp((x + 0.08) / 0.16, 0.0, 1.0);
            skin.joints.row(v) << 0, 1;
            skin.weights.row(v) << 1 - s, s;
        }
    }
    skin.inverse_binds = inverse_binds_at_rest(skeleton);
    return skin;
}

// The area of the polygon that ring r is, by Newell's formula.
inline double ring_area(const Positions& positions, int r) {
    Vector3 area = Vector3::Zero();
    for (int a = 0; a < around; ++a) {
        const Vector3 p = positions.row(r * around + a), q = positions.row(r * around + (a + 1) % around);
        area += 0.5 * p.cross(q);
    }
    return area.norm();
}

}  // namespace tulle::test
