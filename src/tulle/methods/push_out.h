// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/face_contact.h"
#include "tulle/geometry/triangle_mesh.h"

#include <optional>

namespace tulle::methods {

// What a learned method shows is kept out of colliders: vertices at their thickness, faces and edges at half of it.
class PushOut {
public:
    // `colliders` must outlive it. The mesh is that of the cloth at rest.
    PushOut(const geometry::TriangleMesh& mesh, const collision::Colliders& colliders);

    // Moves what is too near at the time out along the normals; returns how many vertices were.
    long apply(double time, Positions& positions) const;

private:
    const collision::Colliders& colliders_;
    std::optional<collision::FaceContact> faces_;  // if there are colliders
};

}  // namespace tulle::methods
