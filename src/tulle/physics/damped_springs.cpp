// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/damped_springs.h"

#include "tulle/core/parallel.h"

namespace tulle::physics {

VectorX effective_stiffness(const Springs& springs, double dt) { return springs.stiffness + springs.damping / dt; }

VectorX effective_rest_lengths(const Springs& springs, const Positions& start, double dt) {
    if ((springs.damping.array() == 0).all()) return springs.rest_lengths;
    VectorX lengths(springs.count());
    parallel_for(springs.count(), [&](long e) {
        const double now = (start.row(springs.edges(e, 0)) - start.row(springs.edges(e, 1))).norm();
        const double k = springs.stiffness(e), damper = springs.damping(e) / dt;
        lengths(e) =
            k + damper > 0 ? (k * springs.rest_lengths(e) + damper * now) / (k + damper) : springs.rest_lengths(e);
    });
    return lengths;
}

}  // namespace tulle::physics
