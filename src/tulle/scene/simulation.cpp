// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/simulation.h"

#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/families.h"

#include <algorithm>

namespace tulle::scene {

namespace {

constexpr double longest = 20;         // of an edge, in rest lengths, that may still mean something
constexpr double longest_of_many = 5;  // of more than a hundredth of the edges

bool has_contact(const physics::World& world) { return !world.colliders->empty() || world.self_contact.enabled; }

// A solver that was asked for too much does not always end in infinity.
void require_sense(const physics::ClothModel& model, const physics::ClothState& state) {
    long many = 0;
    int longest_edge = 0;
    double most = 0;
    const Triangles& triangles = model.mesh.triangles;
    for (long t = 0; t < triangles.rows(); ++t)
        for (int k = 0; k < 3; ++k) {
            const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
            const double ratio = (state.positions.row(a) - state.positions.row(b)).norm() /
                                 std::max(1e-9, (model.mesh.positions.row(a) - model.mesh.positions.row(b)).norm());
            if (ratio > longest_of_many) ++many;
            if (ratio > most) {
                most = ratio;
                longest_edge = a;
            }
        }
    if (most > longest || 100 * many > 3 * triangles.rows()) throw physics::Divergence(longest_edge, state.time, most);
}

}  // namespace

Simulation::Simulation(Scene scene, const Method& method)
    : scene_(std::move(scene)),
      model_(std::make_unique<physics::ClothModel>(make_model(scene_))),
      world_(std::make_unique<physics::World>(make_world(scene_))),
      steps_per_frame_(scene::steps_per_frame(scene_, *model_, method)),
      checks_stretch_(family_of(method).steps_are_shown()),
      stepper_(make_stepper(scene_, *model_, *world_, method)),
      state_(initial_state(scene_, *model_)) {
    if (has_contact(*world_) && family_of(method).leaves_steps_open(scene_, method))
        choice_.emplace(*model_, *world_, scene_.time.frame_time());
}

physics::StepReport Simulation::advance_frame() {
    const int steps = steps_per_frame();
    physics::StepReport report = stepper_->advance(state_, scene_.time.frame_time() / steps, steps);
    if (checks_stretch_) require_sense(*model_, state_);
    return report;
}

}  // namespace tulle::scene
