// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/simulation.h"

#include "tulle/scene/build.h"

namespace tulle::scene {

Simulation::Simulation(Scene scene, const Method& method)
    : scene_(std::move(scene)),
      model_(std::make_unique<physics::ClothModel>(make_model(scene_))),
      world_(std::make_unique<physics::World>(make_world(scene_))),
      steps_per_frame_(scene::steps_per_frame(scene_, *model_, method)),
      stepper_(make_stepper(scene_, *model_, *world_, method)),
      state_(initial_state(scene_, *model_)) {}

}  // namespace tulle::scene
