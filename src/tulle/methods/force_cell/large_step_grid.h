// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/box_laplacian.h"
#include "tulle/methods/force_cell/large_step.h"
#include "tulle/methods/force_cell/large_step_kernel.h"
#include "tulle/physics/solvers/mass_spring_grid.h"

#include <array>
#include <string>
#include <vector>

namespace tulle::methods {

// Larger steps through the fused passes: the forces, layout, threads and borders are those of `mass_spring`.
class LargeStepGrid final : public physics::MassSpringGrid {
public:
    LargeStepGrid(const physics::ClothModel& model, const physics::World& world, physics::ForceList forces,
                  const physics::Directions& directions, const LargeStep& layer, large_step::Kernel kernel,
                  std::string note);

    std::vector<std::byte> memory() const override;
    void set_memory(std::span<const std::byte> memory) override;

private:
    using Field = numerics::AlignedArray<float>;
    using ScratchFields = std::array<Field, 2>;

    void run(physics::ClothState& state, double dt, int steps) override;
    void run_rows(int begin, int end, double time, double dt, int steps) override;
    int last_buffer(int) const override { return 0; }
    void set_layer();
    float* begin_of(Field& field) const;  // where a State's arrays begin
    void filter(int begin, int end);
    void run_pass(long pass, int field, ScratchFields& scratch, int begin, int end);

    LargeStep settings_;
    large_step::Kernel passes_;
    BoxLaplacian laplacian_;
    physics::StencilMaterial springs_;
    std::array<Field, 4> accelerations_;
    std::array<Field, 3> normals_;
    std::array<ScratchFields, 4> scratch_fields_;
    Field centre_, squares_, scales_, pulls_, inverse_scales_;
    std::vector<unsigned char> inside_;
    large_step::Fields fields_{};
    large_step::Layer layer_{};
    large_step::Gate gate_{};
    bool started_ = false;
};

}  // namespace tulle::methods
