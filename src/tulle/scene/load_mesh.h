// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/scene/scene.h"

namespace tulle::scene {

// Reads the file and puts the mesh in its place.
geometry::TriangleMesh load_mesh(const MeshPlacement& placement);

}  // namespace tulle::scene
