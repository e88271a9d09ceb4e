// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/simulation.h"

#include "tulle/scene/build.h"
#include "tulle/scene/families/families.h"

namespace tulle::scene {

Simulation::Simulation(const Scene& scene, const Method& method) : Simulation(scene, method, make_world(scene)) {}

Simulation::Simulation(Scene scene, const Method& method, physics::World world)
    : scene_(std::move(scene)),
      model_(std::make_unique<physics::ClothModel>(make_model(scene_))),
      world_(std::make_unique<physics::World>(std::move(world))),
      steps_per_frame_(scene::steps_per_frame(scene_, *model_, method)),
      checks_stretch_(family_of(method).steps_are_shown()),
      stepper_(make_stepper(scene_, *model_, *world_, method)),
      state_(initial_state(scene_, *model_)) {
    if (steps_are_chosen(scene_, method))
        choice_.emplace(*model_, *world_, scene_.time.frame_time(), fewest_steps(scene_));
}

physics::StepReport Simulation::advance_frame() {
    const int steps = steps_per_frame();
    physics::StepReport report = stepper_->advance(state_, scene_.time.frame_time() / steps, steps);
    require_sense(state_);
    if (checks_stretch_) require_sensible_stretch(*model_, state_);
    return report;
}

}  // namespace tulle::scene
