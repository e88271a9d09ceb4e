// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/body_collider.h"
#include "tulle/scene/scene.h"

#include <string>

namespace tulle::scene {

// The body that wears the scene's garment. Throws an Error if the scene has no garment.
const BodySolid& wearer(const Scene& scene);

// The garment as it lies on the resting body, in the character's own space, with its pattern as texture coordinates.
geometry::TriangleMesh worn_garment(const Scene& scene, const MovingBody& body);

// The file with the weights of the scene's garment, such as "garment-t-shirt.safetensors".
std::string garment_weights_name(const Scene& scene);

}  // namespace tulle::scene
