// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/contact_pass.h"
#include "tulle/physics/forces/wind.h"
#include "tulle/physics/interaction.h"

#include <memory>
#include <optional>

namespace tulle::physics {

// Everything around the cloth; constant during a run, but for what a person does to it.
struct World {
    Vector3 gravity = {0, 0, -9.81};  // [m/s²]
    std::optional<WindSettings> wind;
    double pressure = 0;   // [Pa] from the back of the cloth to its front
    double drag_rate = 0;  // [1/s] velocities decay as exp(−drag_rate t)
    // Shared with the contact passes of the solvers; never null.
    std::shared_ptr<const collision::Colliders> colliders = std::make_shared<collision::Colliders>();
    collision::SelfContactSettings self_contact;
    // Shared with whoever changes it between frames, and with the world of a coarser cloth; null: nobody touches it.
    std::shared_ptr<const Interaction> interaction = nullptr;
};

// What a person adds to gravity [m/s²].
Vector3 gravity_change(const World& world);

// Gravity, wind, pressure and grabs, as far as the world has them.
ForceList make_forces(const World& world, const ClothModel& model);

}  // namespace tulle::physics
