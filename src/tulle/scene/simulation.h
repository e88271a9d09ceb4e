// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"
#include "tulle/scene/sense.h"
#include "tulle/scene/step_choice.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tulle::scene {

// A scene made to run with one method: its frames one after the other.
class Simulation {
public:
    Simulation(const Scene& scene, const Method& method);
    // In a world of one's own making, such as one that a person touches.
    Simulation(Scene scene, const Method& method, physics::World world);

    const Scene& scene() const { return scene_; }
    const physics::ClothModel& model() const { return *model_; }
    const physics::World& world() const { return *world_; }
    const physics::ClothState& state() const { return state_; }
    // Of the frame that comes next. The scene may leave the choice to us.
    int steps_per_frame() const { return choice_ ? choice_->steps(state_) : steps_per_frame_; }

    // A stepper's memory is what Stepper::memory says.
    void resume_from(physics::ClothState state, std::span<const std::byte> memory) {
        state_ = std::move(state);
        stepper_->set_memory(memory);
    }
    // From the same place with a memory of its own, such as another method has left off at.
    void go_on_from(physics::ClothState state) { state_ = std::move(state); }
    std::string note() const { return stepper_->note(); }  // what a user should know; empty: nothing
    std::vector<std::byte> memory() const { return stepper_->memory(); }
    bool tells_bounds() const { return stepper_->tells_bounds(); }
    Eigen::VectorXf bounds() const { return stepper_->bounds(); }  // of the last frame, see Stepper
    physics::StepReport advance_frame();  // throws physics::Divergence, also where it left all sense

private:
    Scene scene_;
    std::unique_ptr<const physics::ClothModel> model_;  // behind pointers, because the stepper refers to them
    std::unique_ptr<const physics::World> world_;
    int steps_per_frame_;
    std::optional<StepChoice> choice_;
    bool checks_stretch_;
    std::unique_ptr<physics::Stepper> stepper_;
    physics::ClothState state_;
};

}  // namespace tulle::scene
