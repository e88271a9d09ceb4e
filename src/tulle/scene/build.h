// SPDX-License-Identifier: Apache-2.0
// From what a scene says to what runs.
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/projections/make_projection.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

#include <memory>

namespace tulle::scene {

// Throws an Error if the mesh cannot be a cloth or a pin holds a vertex that is not there.
physics::ClothModel make_model(const Scene& scene);
collision::Colliders make_colliders(const Scene& scene);
physics::World make_world(const Scene& scene);
// The same with colliders that exist already: the level set of a mesh takes its time.
physics::World make_world(const Scene& scene, std::shared_ptr<const collision::Colliders> colliders);
physics::ClothState initial_state(const Scene& scene, const physics::ClothModel& model);

// The model and the world must outlive the stepper.
std::unique_ptr<physics::Stepper> make_stepper(const Scene& scene, const physics::ClothModel& model,
                                               const physics::World& world, const Method& method);

// The cloth as projections see it: its pins are fixed.
projections::Cloth cloth_to_project(const physics::ClothModel& model);

// What the scene says and the method adds, with the scene's numbers.
projections::ProjectionSettings projection_settings(const Scene& scene, const Method& method);

// From the scene; one where it says nothing, and for mass_spring as many as are stable.
int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method);

}  // namespace tulle::scene
