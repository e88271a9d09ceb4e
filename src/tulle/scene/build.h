// SPDX-License-Identifier: Apache-2.0
// From what a scene says to what runs. make_stepper is the only place that knows all methods.
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

#include <memory>

namespace tulle::scene {

// Throws an Error if the mesh cannot be a cloth or a pin holds a vertex that is not there.
physics::ClothModel make_model(const Scene& scene);
physics::World make_world(const Scene& scene);
physics::ClothState initial_state(const Scene& scene, const physics::ClothModel& model);

// The model and the world must outlive the stepper.
std::unique_ptr<physics::Stepper> make_stepper(const Scene& scene, const physics::ClothModel& model,
                                               const physics::World& world, const Method& method);

// From the scene; one where it says nothing, and for mass_spring as many as are stable.
int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method);

// A scene made to run with one method: its frames one after the other.
class Simulation {
public:
    Simulation(Scene scene, const Method& method);

    const Scene& scene() const { return scene_; }
    const physics::ClothModel& model() const { return *model_; }
    const physics::World& world() const { return *world_; }
    const physics::ClothState& state() const { return state_; }
    int steps_per_frame() const { return steps_per_frame_; }
    double dt() const { return scene_.time.frame_time() / steps_per_frame_; }  // [s]

    void resume_from(physics::ClothState state, std::span<const std::byte> memory) {
        state_ = std::move(state);
        stepper_->set_memory(memory);
    }
    std::string note() const { return stepper_->note(); }  // what a user should know; empty: nothing
    std::vector<std::byte> memory() const { return stepper_->memory(); }
    physics::StepReport advance_frame() { return stepper_->advance(state_, dt(), steps_per_frame_); }

private:
    Scene scene_;
    std::unique_ptr<const physics::ClothModel> model_;  // behind pointers, because the stepper refers to them
    std::unique_ptr<const physics::World> world_;
    int steps_per_frame_;
    std::unique_ptr<physics::Stepper> stepper_;
    physics::ClothState state_;
};

}  // namespace tulle::scene
