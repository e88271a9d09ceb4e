// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider_forces.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/solvers/chain_stiffness.h"
#include "tulle/physics/world.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace tulle::physics {

constexpr int iterations_per_correction = 5;  // of `admm`

// Lets colliders press on a cloth while a solver minimises: a solver that does not know of them lets everything fall
// freely, and what holds a cloth up would have to be put back at the end of the step, which stretches it and never
// comes to rest. The forces of a step begin as those of the last one. For minimisers that go on from where they are:
//
//     pressure.begin(state, dt);
//     for each round: minimise towards pressure.pushed(x̃) for a few iterations, then x = pressure.correct(x)
//
// A round begins where the new pressures would move the vertices: a few iterations turn springs too little to let the
// cloth go there, and the next correction would press once more.
class ColliderPressure {
public:
    ColliderPressure(const ClothModel& model, const World& world, const VectorX& inverse_masses);

    bool acts() const { return !world_.colliders->empty(); }
    void begin(const ClothState& state, double dt);
    // x̃ + Δt² M⁻¹ f, |V|×3 [m].
    Positions pushed(const Positions& inertial) const;
    // Where the next round begins, |V|×3 [m].
    Positions correct(const Positions& positions);
    void keep_until(double time) { time_ = time; }

    std::vector<std::byte> memory() const;
    void set_memory(std::span<const std::byte> memory);  // throws an Error if they cannot be this cloth's

private:
    const World& world_;
    VectorX inverse_masses_;  // |V| [1/kg]
    collision::ColliderForces forces_;
    ChainStiffness stiffness_;
    double time_ = 0;                                       // [s] of the state that the forces belong to
    std::optional<collision::ColliderResponse> colliders_;  // of the present step
    Positions start_;
    int corrections_ = 0;  // in the present step
};

}  // namespace tulle::physics
