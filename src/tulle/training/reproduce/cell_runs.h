// SPDX-License-Identifier: Apache-2.0
// What the page of the force-cell paper is made of: its scenes at any resolution, cells that were trained for it, runs
// and their errors.
#pragma once

#include "tulle/methods/force_cell/force_cell_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/families/force_cell/force_cell_course.h"
#include "tulle/scene/scene.h"
#include "tulle/training/history.h"
#include "tulle/training/reproduce/reproduction.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tulle::training {

inline constexpr int cell_steps_per_frame = 50;

// A scene of the paper with n×n points at a spacing of 1/n and steps of 0.04/n, as its scripts have it, fifty of them a
// frame. Below 100 points the masses grow as the points get fewer, so that the steps stay stable.
scene::Scene cell_scene(const Reproduction& run, const std::string& name, int n, const scene::Overrides& more = {});
scene::Overrides cell_overrides(const std::string& name, int n);  // what makes it so
// Overrides that give ball-drop the material that the cell was taught.
scene::Overrides taught_material(int n);

// One training of a cell.
struct CellTrial {
    std::string name;
    std::string scene;  // "pinned-fall" or "blow-up"
    scene::ForceCellCourseSettings course;
};
struct CellTrialResult {
    methods::ForceCellModel model;
    int parameters = 0;
    double minutes = 0;                // of fitting and training, without making the data
    double one_step_error = 0;         // relative, on the other of the two scenes
    std::vector<EpochRecord> history;  // both rounds, one after the other
};
CellTrialResult train_cell(Reproduction& run, const CellTrial& trial, int n);

using MakeStepper = std::function<std::unique_ptr<physics::Stepper>(const scene::Scene&, const physics::ClothModel&,
                                                                    const physics::World&)>;
MakeStepper by_physics(bool reference);
MakeStepper by_cell(const methods::ForceCellModel& model, bool reference);
// The paper's physics: velocities are written while neighbours still read them. One order of many that a race can
// take: vertex after vertex.
MakeStepper by_race();

// Positions at the end of each frame, the start first; not numbers after it diverged.
using CellRun = std::vector<Positions>;
CellRun run_cell(const Reproduction& run, const std::string& what, const scene::Scene& scene,
                 const MakeStepper& make_stepper, int frames);

// Of each frame, the first left out. The paper does not define its percentage; these are the candidates.
struct CellErrors {
    std::vector<double> by_size;          // mean distance over the cloth's size, which is 1 m
    std::vector<double> by_displacement;  // mean distance over how far the cloth has moved in the mean
    std::vector<double> largest;          // largest difference of a coordinate [m] in all frames so far
};
CellErrors errors_of(const CellRun& truth, const CellRun& run);

// Steps in a second, medians; all take turns.
struct CellSpeeds {
    double physics = 0, cell = 0, torch = 0;
};
CellSpeeds measure_speeds(const Reproduction& run, int n);

}  // namespace tulle::training
