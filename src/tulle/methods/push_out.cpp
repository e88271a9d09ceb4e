// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/push_out.h"

#include "tulle/core/parallel.h"

#include <atomic>

namespace tulle::methods {

PushOut::PushOut(const geometry::TriangleMesh& mesh, const collision::Colliders& colliders) : colliders_(colliders) {
    if (!colliders.empty()) faces_.emplace(mesh.positions, mesh.triangles, VectorX::Ones(mesh.positions.rows()));
}

long PushOut::apply(double time, Positions& positions) const {
    if (!faces_) return 0;
    const Positions shown = positions;
    const collision::ColliderResponse colliders(colliders_, time, /*dt=*/0);
    std::atomic<long> moved = 0;
    parallel_for(positions.rows(), [&](long v) {
        const Vector3 start = shown.row(v);
        Vector3 place = start;
        if (!colliders.resolve(start, place)) return;
        positions.row(v) = place;
        ++moved;
    });
    (void)faces_->resolve(colliders, {shown, positions, nullptr});
    return moved;
}

}  // namespace tulle::methods
