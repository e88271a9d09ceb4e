// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/collider_pressure.h"
#include "tulle/physics/solvers/spring_tensions.h"

namespace tulle::physics {

// What a step of `admm` leaves for the next one.
struct CarriedForces {
    CarriedForces(const ClothModel& model, const World& world, const VectorX& inverse_masses)
        : springs(model.springs.count()), pressure(model, world, inverse_masses) {}

    void keep_until(double time) {
        tensions.keep_until(time);
        pressure.keep_until(time);
    }
    std::vector<std::byte> memory() const;               // empty before the first step
    void set_memory(std::span<const std::byte> memory);  // throws an Error if they are another cloth's

    long springs;  // |E|
    SpringTensions tensions;
    ColliderPressure pressure;
};

}  // namespace tulle::physics
