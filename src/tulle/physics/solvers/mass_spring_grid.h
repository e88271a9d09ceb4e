// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/team_barrier.h"
#include "tulle/physics/solvers/mass_spring_kernel.h"
#include "tulle/physics/solvers/solver.h"

#include <array>
#include <optional>
#include <vector>

namespace tulle::physics {

// The six directions of the 13-point stencil, if all springs of the cloth are those of a grid and each direction has
// one rest length, one stiffness and one damping; else nothing.
std::optional<std::array<mass_spring::Direction, 6>> uniform_directions(const ClothModel& model);

// `mass_spring` on a uniform grid through the fused kernel. Several steps at once stay in the kernel's layout.
class MassSpringGrid final : public Solver {
public:
    MassSpringGrid(const ClothModel& model, const World& world, const std::array<mass_spring::Direction, 6>& directions,
                   const mass_spring::Kernel& kernel);

    StepReport advance(ClothState& state, double dt, int steps) override;

private:
    struct Buffer {
        explicit Buffer(size_t size) : positions(3 * size, 0.0), velocities(3 * size, 0.0), rounded(9 * size, 0.0f) {}
        mass_spring::State state();
        std::vector<double> positions, velocities;
        std::vector<float> rounded;
    };
    struct Pin {
        int vertex, group;
    };

    void step(ClothState& state, double dt, StepReport& report) override;
    void run(ClothState& state, double dt, int steps);
    void run_rows(int begin, int end, double time, double dt, int steps);
    void place_pins_of_rows(int begin, int end, double time, double dt, const Buffer& old, Buffer& now);
    mass_spring::Air air_at(double time, double dt) const;
    void load(const ClothState& state);
    void unload(ClothState& state, const Buffer& buffer) const;

    mass_spring::Kernel kernel_;
    geometry::GridSize size_;
    size_t array_size_;  // of one coordinate, margins included
    std::optional<Wind> wind_;
    std::vector<Pin> pins_;  // ascending
    std::vector<float> inverse_mass_array_;
    std::array<std::vector<float>, 5> column_exists_;
    std::vector<float> quad_forces_;
    std::array<Buffer, 2> buffers_;
    mass_spring::Grid grid_;
    mass_spring::QuadForces quads_;
    numerics::TeamBarrier barrier_;
};

}  // namespace tulle::physics
