// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"
#include "tulle/physics/spring_forces.h"

#include <string>

namespace tulle::physics {

// The definition of a correct `mass_spring` step, for any cloth.
class MassSpringReference final : public Solver {
public:
    // `note`: why it runs, where a user should know.
    MassSpringReference(const ClothModel& model, const World& world, ForceList forces, std::string note = {});

    std::string note() const override { return note_; }

private:
    void step(ClothState& state, double dt, StepReport& report) override;

    std::string note_;
    SpringForces springs_;
};

}  // namespace tulle::physics
