// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/ray_caster.h"

#include <vector>

namespace tulle::render {

// A mesh whose faces are shaded smoothly, but not across edges where they meet at an angle: there a vertex is split
// into one for each smooth part around it. Where it is split is settled at rest.
class CreasedMesh {
public:
    CreasedMesh(const SurfaceTriangles& triangles, const std::vector<Vector3>& rest_positions);

    const SurfaceTriangles& triangles() const { return split_triangles_; }  // over split vertices
    const std::vector<int>& sources() const { return sources_; }            // the mesh's vertex each split vertex is at
    // Unit normals of the split vertices, weighted by area.
    std::vector<Vector3> normals(const std::vector<Vector3>& positions) const;

private:
    SurfaceTriangles triangles_;
    SurfaceTriangles split_triangles_;
    std::vector<int> sources_;
};

}  // namespace tulle::render
