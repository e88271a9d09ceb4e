// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/ascent_constraints.h"

#include <algorithm>
#include <cmath>

namespace tulle::projections {

namespace {

Eigen::Map<Vector3> row(double* rows, long index) { return Eigen::Map<Vector3>(rows + 4 * index); }

// Writes λ⁺ and y⁺; returns the part of the turning test.
double step_to(const AscentArrays& arrays, long index, const Vector3& next, double momentum) {
    Eigen::Map<Vector3> multiplier = row(arrays.multipliers, index), lead = row(arrays.leads, index);
    const Vector3 change = next - multiplier;
    const double turning = arrays.inverse_steps[index] * (lead - next).dot(change);
    multiplier = next;
    lead = next + momentum * change;
    return turning;
}

}  // namespace

Vector3 Cap::nearest(const Vector3& point) const {
    const double length = point.norm();
    const Vector3 inside = length > radius ? Vector3(radius / length * point) : point;
    if (direction.dot(inside) >= height) return inside;
    // Otherwise the nearest point of the plane, or of the circle where plane and ball meet.
    const Vector3 across = point - direction.dot(point) * direction;
    const double rim = std::sqrt(std::max(0.0, radius * radius - height * height));
    const double reach = across.norm();
    return height * direction + (reach > rim ? Vector3(rim / reach * across) : across);
}

double Cap::support(const Vector3& multiplier) const {
    const double length = multiplier.norm();
    const double along = direction.dot(multiplier);
    if (radius * along >= height * length) return radius * length;
    const double rim = std::sqrt(std::max(0.0, radius * radius - height * height));
    return height * along + rim * (multiplier - along * direction).norm();
}

AscentSums ascend_between(const AscentArrays& arrays, long begin, long end, double momentum, const LowerLimits& lower,
                          const double* lengths) {
    AscentSums sums;
    for (long e = begin; e < end; ++e) {
        const unsigned* ends = arrays.ends + 2 * e;
        const Vector3 d = Eigen::Map<const Vector3>(arrays.positions + ends[0]) -
                          Eigen::Map<const Vector3>(arrays.positions + ends[1]);
        const double step = arrays.steps[e];
        const Cap cap{arrays.thresholds[e] / step, lower.directions.row(e), lower.lengths(e)};
        const Vector3 y = row(arrays.leads, e);
        const double support = cap.support(y);
        sums.weight += std::abs(support);
        sums.slackness += support - y.dot(d);
        const double excess = std::max(d.norm() - cap.radius, cap.height - cap.direction.dot(d));
        sums.violation = std::max(sums.violation, excess / lengths[e]);
        const Vector3 p = y + step * d;
        sums.turning += step_to(arrays, e, p - step * cap.nearest(p / step), momentum);
    }
    return sums;
}

AscentSums ascend_planes(const AscentArrays& arrays, long first, std::span<const ContactPlane> planes, double momentum,
                         double length) {
    AscentSums sums;
    for (size_t k = 0; k < planes.size(); ++k) {
        const ContactPlane& plane = planes[k];
        const long index = first + static_cast<long>(k);
        const double height =
            plane.normal.dot(Eigen::Map<const Vector3>(arrays.positions + 4L * plane.vertex)) - plane.offset;
        // The multiplier is −ν n with ν ≥ 0.
        const double lead = -plane.normal.dot(row(arrays.leads, index));
        sums.weight += std::abs(lead * plane.offset);
        sums.slackness += lead * height;
        sums.violation = std::max(sums.violation, -height / length);
        const double next = std::max(0.0, lead - arrays.steps[index] * height);
        sums.turning += step_to(arrays, index, -next * plane.normal, momentum);
    }
    return sums;
}

}  // namespace tulle::projections
