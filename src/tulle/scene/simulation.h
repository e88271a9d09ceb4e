// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/scene/method.h"
#include "tulle/scene/scene.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tulle::scene {

// A frame that no cloth can be in: a solver that diverges goes through such before its numbers cease to be finite.
class LeftSense final : public physics::Divergence {
public:
    LeftSense(int first_vertex, double time, std::string sentence)
        : physics::Divergence(first_vertex, time), sentence_(std::move(sentence)) {}
    const char* what() const noexcept override { return sentence_.c_str(); }

private:
    std::string sentence_;
};

inline constexpr double farthest_sense = 1e6;         // [m] from the origin
inline constexpr double fastest_sense = 299'792'458;  // [m/s] light

// Throws LeftSense if a vertex is farther or faster than that, or not finite.
void require_sense(const physics::ClothState& state);

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

    // A stepper's memory is what Stepper::memory says.
    void resume_from(physics::ClothState state, std::span<const std::byte> memory) {
        state_ = std::move(state);
        stepper_->set_memory(memory);
    }
    std::string note() const { return stepper_->note(); }  // what a user should know; empty: nothing
    std::vector<std::byte> memory() const { return stepper_->memory(); }
    physics::StepReport advance_frame();  // throws physics::Divergence, also where it left all sense

private:
    Scene scene_;
    std::unique_ptr<const physics::ClothModel> model_;  // behind pointers, because the stepper refers to them
    std::unique_ptr<const physics::World> world_;
    int steps_per_frame_;
    std::unique_ptr<physics::Stepper> stepper_;
    physics::ClothState state_;
};

}  // namespace tulle::scene
