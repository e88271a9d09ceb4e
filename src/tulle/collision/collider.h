// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/shape.h"
#include "tulle/geometry/rigid_motion.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::collision {

struct Collider {
    std::string name;
    std::unique_ptr<Shape> shape;  // in its place at rest; `motion` moves it from there
    geometry::RigidMotion motion;
    double thickness = 0.005;  // [m] vertices are kept this far outside
    double friction = 0;       // Coulomb coefficient
    double restitution = 0;    // part of the normal velocity that comes back
    double contact_drag = 0;   // [1/s] velocity relative to the collider decays at this rate while touching
};

using Colliders = std::vector<Collider>;

}  // namespace tulle::collision
