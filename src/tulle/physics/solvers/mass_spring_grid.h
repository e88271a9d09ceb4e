// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/aligned_array.h"
#include "tulle/numerics/team_barrier.h"
#include "tulle/physics/forces/grab.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/forces/pressure.h"
#include "tulle/physics/solvers/mass_spring_kernel.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/physics/stencil.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tulle::physics {

using Directions = std::array<mass_spring::Direction, stencil_directions>;

inline constexpr float no_softening = 1e-30f;  // [m²] keeps the length of a collapsed spring from vanishing

// The directions of the stencil, if all springs of the cloth are of it and each direction has one rest length, one
// stiffness and one damping; else nothing.
std::optional<Directions> uniform_directions(const ClothModel& model);

// The forces that the kernel works out itself, and grabs, which are added after it; null where there is none.
struct KernelForces {
    const Gravity* gravity = nullptr;
    const Wind* wind = nullptr;
    const Pressure* pressure = nullptr;
    const Grabs* grabs = nullptr;
};

// The list by kind, if the kernel knows each force in it on this cloth and none comes twice; else nothing.
std::optional<KernelForces> kernel_forces(const ClothModel& model, const ForceList& forces);

// A uniform grid through the fused kernel, which must know the forces: `mass_spring`, and the force cell with
// directions of its own. Several steps at once stay in the kernel's layout. What steps otherwise on the same layout
// (the force cell's larger steps) derives from it.
class MassSpringGrid : public Solver {
public:
    MassSpringGrid(const ClothModel& model, const World& world, ForceList forces, const Directions& directions,
                   mass_spring::Kernel kernel, std::string note = {});

    StepReport advance(ClothState& state, double dt, int steps) override;
    std::string note() const override { return note_; }

protected:
    virtual void run(ClothState& state, double dt, int steps);
    // All threads of a team run this, each for its own rows, from buffer 0 on.
    virtual void run_rows(int begin, int end, double time, double dt, int steps);
    virtual int last_buffer(int steps) const { return steps % 2; }  // which holds the state after so many steps

    const mass_spring::Grid& grid() const { return grid_; }
    numerics::TeamBarrier& barrier() { return barrier_; }
    mass_spring::State buffer(int index);
    size_t place(int vertex) const;  // in the arrays of a buffer
    void place_pins_of_rows(int begin, int end, double time, double dt, const mass_spring::State& now) const;
    mass_spring::Air air_at(double time, double dt) const;

private:
    struct Pin {
        int vertex, group;
    };

    void step(ClothState& state, double dt, StepReport& report) override;
    bool is_held() const;
    void run_held(ClothState& state, double dt);
    void mark_neighbours(const std::vector<Neighbours>& neighbours);
    void load(const ClothState& state);
    void unload(ClothState& state, const mass_spring::State& buffer) const;

    std::string note_;
    KernelForces kernel_forces_;
    mass_spring::Kernel kernel_;
    geometry::GridSize size_;
    size_t array_size_;      // of one coordinate, margins included
    std::vector<Pin> pins_;  // ascending
    numerics::AlignedArray<float> inverse_mass_array_;
    std::array<numerics::AlignedArray<float>, 4> column_exists_;
    std::array<numerics::AlignedArray<float>, stencil_directions> neighbour_exists_;  // where there are holes
    std::array<numerics::AlignedArray<double>, 2> buffers_;                           // positions, then velocities
    mass_spring::Grid grid_;
    numerics::TeamBarrier barrier_;
};

}  // namespace tulle::physics
