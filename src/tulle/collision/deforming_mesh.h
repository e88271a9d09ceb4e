// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/posed_mesh.h"
#include "tulle/geometry/deforming_motion.h"

namespace tulle::collision {

// A closed mesh whose vertices move, each on its own way.
class DeformingMesh {
public:
    // The triangles bound a solid at every key and are wound outward; see closed_mesh.
    DeformingMesh(const Triangles& triangles, geometry::DeformingMotion motion);
    DeformingMesh(const DeformingMesh&) = delete;  // posed meshes refer to it
    DeformingMesh& operator=(const DeformingMesh&) = delete;

    const Triangles& triangles() const { return topology_.triangles; }
    const ClosedTopology& topology() const { return topology_; }
    Positions positions_at(double time) const { return motion_.at(time); }
    PosedMesh at(double time) const { return {topology_, motion_.at(time)}; }

private:
    ClosedTopology topology_;
    geometry::DeformingMotion motion_;
};

// A deforming mesh during one step of the time, for all threads.
class DeformingStep {
public:
    // The mesh must outlive this.
    DeformingStep(const DeformingMesh& mesh, double time, double dt);

    const PosedMesh& end() const { return end_; }
    // A vertex that goes this way and ends farther outside than this has met nothing [m].
    double reach(const Vector3& from, const Vector3& to) const { return (to - from).norm() + longest_way_; }
    double longest_way() const { return longest_way_; }  // [m] of a vertex of the mesh
    // Where a point at the start is when it goes with the surface nearest to it. Seen from there the mesh stands still.
    Vector3 carried(const Vector3& point) const;
    // Of the surface nearest to a point at the end [m/s].
    Vector3 velocity_at(const Vector3& point) const;

private:
    MeshSearch start_;
    PosedMesh end_;
    double dt_;
    double longest_way_;
};

}  // namespace tulle::collision
