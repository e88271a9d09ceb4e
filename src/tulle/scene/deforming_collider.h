// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/deforming_mesh.h"
#include "tulle/scene/scene.h"

#include <memory>

namespace tulle::scene {

// Reads all keys. Throws an Error that names the file unless each bounds a solid and all have the same triangles.
std::unique_ptr<collision::DeformingMesh> make_deforming_mesh(const DeformingSolid& solid);

}  // namespace tulle::scene
