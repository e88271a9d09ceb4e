// SPDX-License-Identifier: Apache-2.0
// Small cloths and states for the force cell.
#pragma once

#include "tests/support/cloths.h"
#include "tulle/methods/force_cell/cell_samples.h"
#include "tulle/methods/force_cell/force_cell_stepper.h"
#include "tulle/physics/holes.h"
#include "tulle/physics/solvers/mass_spring.h"
#include "tulle/physics/spring_forces.h"

#include <memory>

namespace tulle::methods::test {

inline const Vector3 gravity = {0.5, -9.8, 1.5};

// Springs that differ by direction, so that no two channels can be mistaken for each other.
inline physics::ClothModel example_cloth(bool with_hole = false) {
    physics::ClothModel model =
        tulle::test::grid_cloth({.rows = 9, .columns = 19, .mass = 0.4, .stretch = 120, .bend = 7, .damping = 0.3});
    if (!with_hole) return model;
    std::vector<bool> absent(static_cast<size_t>(model.vertex_count()), false);
    for (int r = 3; r <= 5; ++r)
        for (int c = 8; c <= 10; ++c) absent[static_cast<size_t>(model.grid->index(r, c))] = true;
    absent[1] = true;  // and one at the border
    physics::cut_holes(model, absent);
    return model;
}

// Crumpled and moving, everywhere differently.
inline physics::ClothState random_state(const physics::ClothModel& model, std::uint64_t seed = 1) {
    Random random(seed);
    physics::ClothState state{.positions = model.start_positions,
                              .velocities = Velocities::Zero(model.vertex_count(), 3)};
    const std::vector<bool> pinned = model.pinned();
    for (long v = 0; v < state.positions.rows(); ++v)
        for (int i = 0; i < 3 && !pinned[static_cast<size_t>(v)]; ++i) {
            state.positions(v, i) += random.uniform(-0.02, 0.02);
            state.velocities(v, i) = random.uniform(-1, 1);
        }
    return state;
}

inline physics::World world_with(const Vector3& acceleration) {
    physics::World world;
    world.gravity = acceleration;
    return world;
}

// What physics makes of random states.
inline CellSamples example_samples(const physics::ClothModel& model, int states) {
    const auto grid = std::make_shared<const CellGrid>(make_cell_grid(model));
    const physics::SpringForces springs(model);
    std::vector<CellState> recorded;
    for (int s = 0; s < states; ++s) {
        const physics::ClothState state = random_state(model, static_cast<std::uint64_t>(s) + 1);
        Forces accelerations = springs.at(state);
        accelerations.array().colwise() *= grid->inverse_masses.array();
        accelerations.rowwise() += gravity.transpose();
        recorded.push_back({.grid = grid,
                            .positions = state.positions,
                            .velocities = state.velocities,
                            .accelerations = accelerations,
                            .dt = 1e-3,
                            .kept = 0.99});
    }
    return CellSamples(std::move(recorded));
}

}  // namespace tulle::methods::test
