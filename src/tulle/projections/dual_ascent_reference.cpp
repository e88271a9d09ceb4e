// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/dual_ascent_reference.h"

#include "tulle/core/arrays.h"

#include <algorithm>

namespace tulle::projections {

namespace {

using Row = Eigen::Map<Vector3>;
using ConstRow = Eigen::Map<const Vector3>;

double move(const AscentArrays& arrays, long begin, long end) {
    double objective = 0;
    for (long v = begin; v < end; ++v) {
        Vector3 sum = Vector3::Zero();
        for (int p = arrays.first_pulls[v]; p < arrays.first_pulls[v + 1]; ++p)
            sum += (p < arrays.first_minuses[v] ? 1 : -1) * ConstRow(arrays.leads + arrays.pulls[p]);
        Row(arrays.positions + 4 * v) = ConstRow(arrays.targets + 4 * v) - arrays.mobility[v] * sum;
        objective += 0.5 * arrays.mobility[v] * sum.squaredNorm();
    }
    return objective;
}

AscentSums ascend(const AscentArrays& arrays, long begin, long end, double momentum, const double* lengths) {
    AscentSums sums;
    for (long e = begin; e < end; ++e) {
        const unsigned* ends = arrays.ends + 2 * e;
        const Vector3 d = ConstRow(arrays.positions + ends[0]) - ConstRow(arrays.positions + ends[1]);
        Row multiplier(arrays.multipliers + 4 * e), lead(arrays.leads + 4 * e);
        const double limit = arrays.thresholds[e] * arrays.inverse_steps[e];
        if (lengths) {
            sums.weight += limit * lead.norm();
            sums.slackness += limit * lead.norm() - lead.dot(d);
            sums.violation = std::max(sums.violation, (d.norm() - limit) / lengths[e]);
        }
        const Vector3 p = lead + arrays.steps[e] * d;
        const double length = p.norm();
        const Vector3 next =
            length > arrays.thresholds[e] ? Vector3((1 - arrays.thresholds[e] / length) * p) : Vector3(Vector3::Zero());
        const Vector3 change = next - multiplier;
        sums.turning += arrays.inverse_steps[e] * (lead - next).dot(change);
        multiplier = next;
        lead = next + momentum * change;
    }
    return sums;
}

}  // namespace

extern const AscentKernels reference_ascent_kernels = {move, ascend};

}  // namespace tulle::projections
