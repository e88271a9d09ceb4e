// SPDX-License-Identifier: Apache-2.0
// The framework around the cell (the force-cell paper's figure 2): the cell's impulses, forces from outside by physics,
// drag, contact, pins, and the new places. A user of the library plugs a force or a network in as a physics::Force:
//
//   physics::ForceList outside = methods::forces_outside(world, model);
//   outside.push_back(std::make_unique<MyNetwork>(…));
//   auto stepper = methods::make_force_cell(model, world, std::move(outside), cell, {});
#pragma once

#include "tulle/methods/force_cell/force_cell.h"
#include "tulle/physics/forces/force.h"
#include "tulle/physics/solvers/mass_spring_grid.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"

#include <memory>
#include <string>

namespace tulle::methods {

struct ForceCellSettings {
    bool reference = false;  // the plain double-precision twin instead of the fused kernel
    std::string note;        // what a user should know before it runs
};

// Wind and pressure, as far as the world has them. Gravity is in the cell.
physics::ForceList forces_outside(const physics::World& world, const physics::ClothModel& model);

// Advances a cloth by the cell. Runs in the fused kernel that `mass_spring` has too, if the cell is of the kind that it
// knows (Isru, opposite neighbours alike) and the forces are; else in the plain twin, and the note says so. The model
// and the world must outlive it.
std::unique_ptr<physics::Stepper> make_force_cell(const physics::ClothModel& model, const physics::World& world,
                                                  physics::ForceList outside, const ForceCell& cell,
                                                  const ForceCellSettings& settings);

// Why the plain twin must run; empty: the fused kernel can.
std::string reason_to_be_plain(const physics::ClothModel& model, const physics::ForceList& forces,
                               const ForceCell& cell);
// The note of settings, and why the plain twin runs where nobody asked for it.
std::string plain_note(const ForceCellSettings& settings, const std::string& reason);
// The cell as the fused kernel knows it, but for its bias.
physics::Directions kernel_directions(const ForceCell& cell);

// The definition of a correct step.
class ForceCellReference final : public physics::Solver {
public:
    ForceCellReference(const physics::ClothModel& model, const physics::World& world, physics::ForceList outside,
                       const ForceCell& cell, std::string note);

    std::string note() const override { return note_; }

private:
    void step(physics::ClothState& state, double dt, physics::StepReport& report) override;

    ForceCell cell_;
    CellGrid grid_;
    std::string note_;
};

}  // namespace tulle::methods
