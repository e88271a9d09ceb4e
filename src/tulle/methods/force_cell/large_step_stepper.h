// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/box_laplacian.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/methods/force_cell/large_step.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::methods {

// Advances a cloth by larger steps of the cell (large_step.h). A step dt is one large step. The velocities of the
// states it makes are means over the step before; what it starts from are velocities at a moment, so it remembers
// whether it has started. Runs in the fused kernel where the cell itself would (make_force_cell), else in the plain
// twin, and the note says so. The model and the world must outlive it. Throws an Error if the layer would not be stable
// at this material or dt.
std::unique_ptr<physics::Stepper> make_large_step(const physics::ClothModel& model, const physics::World& world,
                                                  physics::ForceList outside, const ForceCell& cell,
                                                  const LargeStep& layer, const ForceCellSettings& settings);

// The gated normal g n of each vertex that moves, |V|×3; zero in a cloth that nothing holds.
Positions gated_normals(const BoxLaplacian& laplacian, const CellGrid& grid, const physics::StencilMaterial& springs,
                        const Positions& positions);

// p(S) a + N r(S) N a, |V|×3.
Forces filtered(const LargeStep& layer, const BoxLaplacian& laplacian, const Positions& normals,
                const Forces& accelerations);

void require_taught(const LargeStep& layer, double dt);  // throws an Error unless it was taught this step

// The definition of a correct step.
class LargeStepReference final : public physics::Solver {
public:
    LargeStepReference(const physics::ClothModel& model, const physics::World& world, physics::ForceList outside,
                       const ForceCell& cell, const LargeStep& layer, std::string note);

    std::string note() const override { return note_; }
    std::vector<std::byte> memory() const override;
    void set_memory(std::span<const std::byte> memory) override;

private:
    void step(physics::ClothState& state, double dt, physics::StepReport& report) override;

    ForceCell cell_;
    LargeStep layer_;
    CellGrid grid_;
    BoxLaplacian laplacian_;
    physics::StencilMaterial springs_;
    bool started_ = false;
    std::string note_;
};

// What both twins remember: one byte.
std::vector<std::byte> started_memory(bool started);
bool parse_started_memory(std::span<const std::byte> memory);

}  // namespace tulle::methods
