// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/drape.h"

#include "tulle/collision/posed_mesh.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

// Round in front and behind, and at the seams between them as far back as the middle of the body.
Positions blown_up(const SewnGarment& garment, double middle) {
    constexpr double roundness = 0.024, deepest = 0.17;  // [m]
    Positions positions(garment.pattern.rows(), 3);
    for (long v = 0; v < positions.rows(); ++v) {
        const double depth = std::min(std::sqrt(roundness * garment.to_seam(v)), deepest);
        positions.row(v) << garment.pattern(v, 0), middle + garment.side[static_cast<size_t>(v)] * depth,
            garment.pattern(v, 1);
    }
    return positions;
}

// Straight forward and backward, so that the front stays in front; seams along the way out.
void clear_body(const SewnGarment& garment, const collision::PosedMesh& body, double distance, Positions& positions) {
    constexpr double step = 0.005;  // [m]
    parallel_for(positions.rows(), [&](long v) {
        const int side = garment.side[static_cast<size_t>(v)];
        for (int i = 0; i < 100; ++i) {
            const collision::SurfacePoint found = body.surface(Vector3(positions.row(v)));
            if (found.distance >= distance) break;
            positions.row(v) +=
                side == 0 ? Eigen::RowVector3d(step * found.normal.transpose()) : Eigen::RowVector3d(0, side * step, 0);
        }
    });
}

}  // namespace

Positions put_on(const SewnGarment& garment, const geometry::TriangleMesh& rest, const geometry::TriangleMesh& body,
                 const DrapeSettings& settings) {
    const collision::ClosedTopology topology(body);
    const collision::PosedMesh solid(topology, body.positions);
    Positions positions = blown_up(garment, body.positions.col(1).mean());
    clear_body(garment, solid, settings.distance, positions);
    const Edges edges = geometry::mesh_edges(rest).edges;
    VectorX lengths(edges.rows());
    for (long e = 0; e < edges.rows(); ++e)
        lengths(e) = (rest.positions.row(edges(e, 0)) - rest.positions.row(edges(e, 1))).norm();
    constexpr double longest_pull = 0.001, give = 0.3;  // [m] of an end in an iteration; of what is too short
    for (int i = 0; i < settings.iterations; ++i) {
        for (long e = 0; e < edges.rows(); ++e) {
            const Vector3 along = positions.row(edges(e, 1)) - positions.row(edges(e, 0));
            const double length = along.norm(), excess = length - lengths(e);
            const double pull = std::clamp(0.5 * (excess > 0 ? 1 : give) * excess, -longest_pull, longest_pull);
            positions.row(edges(e, 0)) += pull / std::max(length, 1e-9) * along.transpose();
            positions.row(edges(e, 1)) -= pull / std::max(length, 1e-9) * along.transpose();
        }
        parallel_for(positions.rows(), [&](long v) {
            const collision::SurfacePoint found = solid.surface(Vector3(positions.row(v)));
            if (found.distance < settings.distance)
                positions.row(v) += (settings.distance - found.distance) * found.normal.transpose();
            else
                positions(v, 2) -= settings.fall;
        });
    }
    return positions;
}

}  // namespace tulle::methods
