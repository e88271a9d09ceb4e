// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/contact_pass.h"
#include "tulle/methods/push_out.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/projections/projection.h"

#include <memory>

namespace tulle::methods {

// A stepper whose cloth is projected before contact has the last word. Pins hold; velocities are those of what is
// shown.
class ProjectedStepper final : public physics::Stepper {
public:
    enum class Contact {
        Solver,   // the projection is part of each step, and the solvers' contact pass follows it
        PushOut,  // it is only shown, once a frame, and vertices are pushed out of colliders after it
    };

    // `model` and `world` must outlive this.
    ProjectedStepper(std::unique_ptr<physics::Stepper> stepper,
                     std::unique_ptr<const projections::Projection> projection, Contact contact,
                     const physics::ClothModel& model, const physics::World& world);

    physics::StepReport advance(physics::ClothState& state, double dt, int steps) override;

    std::string note() const override { return stepper_->note(); }
    // That of the stepper, and what the next projection starts from.
    std::vector<std::byte> memory() const override;
    void set_memory(std::span<const std::byte> memory) override;

private:
    void project(physics::ClothState& state, const physics::ClothState& before, double dt, physics::StepReport& report);

    std::unique_ptr<physics::Stepper> stepper_;
    std::unique_ptr<const projections::Projection> projection_;
    Contact contact_;
    const physics::ClothModel& model_;
    const physics::World& world_;
    double mean_edge_;  // [m]
    PushOut push_out_;
    collision::ContactPass contacts_;
    projections::Projected previous_;  // empty before the first
};

}  // namespace tulle::methods
