// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/methods/upscaling/stiffness.h"
#include "tulle/scene/scene.h"

namespace tulle::scene {

// What a network is told of a scene's cloth. `rest`: that cloth.
methods::Stiffness stiffness_of(const Scene& scene, const geometry::TriangleMesh& rest);

}  // namespace tulle::scene
