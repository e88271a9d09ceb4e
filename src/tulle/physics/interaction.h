// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <optional>
#include <vector>

namespace tulle::physics {

// A hand that holds the cloth and pulls it softly to a target.
struct Grab {
    int pointer = 0;                   // which hand
    Vector3 point = Vector3::Zero();   // [m] where it holds, as a place of the start shape
    Vector3 offset = Vector3::Zero();  // [m] from the point that was meant to the middle of what is held
    Vector3 target = Vector3::Zero();  // [m]
    double radius = 0.1;               // [m] of what is held
    double reach = 0.5;                // [m] a longer pull is not stronger
    double reaction_time = 0.04;       // [s] in which a free cloth would follow; no step may be longer
};

// What a person does to a cloth while it runs. It changes between frames only, and asks for no new factorisation.
struct Interaction {
    Vector3 gravity_change = Vector3::Zero();  // [m/s²] beside the world's
    std::optional<Vector3> wind_velocity;      // [m/s] in place of the world's
    std::vector<Grab> grabs;
};

}  // namespace tulle::physics
