// SPDX-License-Identifier: Apache-2.0
// Constraints of dual ascent beside plain edge limits, written to be read: any closed convex set C for which the
// nearest point and the support function σ(y) = max_{z ∈ C} y·z are known. λ⁺ = p − τ P_C(p/τ), p = y + τd.
#pragma once

#include "tulle/projections/dual_ascent.h"

namespace tulle::projections {

// Where an edge may be that is neither too long nor too short: |d| ≤ c and n·d ≥ b, a ball cut off by a plane.
struct Cap {
    double radius = 0;  // c [m]
    Vector3 direction;  // n
    double height = 0;  // b ≤ c [m]

    Vector3 nearest(const Vector3& point) const;
    double support(const Vector3& multiplier) const;
};

// One pass over the edges [begin, end) with lower limits too.
AscentSums ascend_between(const AscentArrays& arrays, long begin, long end, double momentum, const LowerLimits& lower,
                          const double* lengths);

// One pass over the planes, whose rows begin at `first`. `length`: what violations are measured by [m].
AscentSums ascend_planes(const AscentArrays& arrays, long first, std::span<const ContactPlane> planes, double momentum,
                         double length);

}  // namespace tulle::projections
