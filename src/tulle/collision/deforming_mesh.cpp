// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/deforming_mesh.h"

#include <cassert>

namespace tulle::collision {

DeformingMesh::DeformingMesh(const Triangles& triangles, geometry::DeformingMotion motion)
    : topology_({motion.positions.front(), triangles, {}}), motion_(std::move(motion)) {
    assert(motion_.times.size() == motion_.positions.size());
}

DeformingStep::DeformingStep(const DeformingMesh& mesh, double time, double dt)
    : start_(mesh.topology(), mesh.positions_at(time)),
      end_(mesh.at(time + dt)),
      dt_(dt),
      longest_way_((end_.search().positions() - start_.positions()).rowwise().norm().maxCoeff()) {}

Vector3 DeformingStep::carried(const Vector3& point) const {
    const SurfacePlace place = start_.nearest(point);
    return point + end_.search().at(place) - start_.at(place);
}

Vector3 DeformingStep::velocity_at(const Vector3& point) const {
    const SurfacePlace place = end_.search().nearest(point);
    return (end_.search().at(place) - start_.at(place)) / dt_;
}

}  // namespace tulle::collision
