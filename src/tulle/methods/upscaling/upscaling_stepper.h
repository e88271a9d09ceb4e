// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/push_out.h"
#include "tulle/methods/upscaling/shown_contact.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"

#include <memory>
#include <vector>

namespace tulle::methods {

// The cloth that is simulated in place of the one that is shown.
struct CoarseCloth {
    std::unique_ptr<const physics::ClothModel> model;  // behind pointers, because the solver refers to them
    std::unique_ptr<const physics::World> world;
    std::unique_ptr<physics::Stepper> solver;
    std::vector<int> fine_vertices;  // where each of its vertices is in the fine cloth
    std::string note;                // what a user should know of it; empty: nothing
};

// A learned method as a Stepper: advances the coarse cloth by a solver and shows it upscaled. The coarse cloth starts
// as the fine one is when it is advanced first.
class UpscalingStepper final : public physics::Stepper {
public:
    // `fine` and `world` must outlive this; pins hold in the fine cloth too, and nothing is left inside a collider.
    // `contact`: null if what is shown may pass through itself.
    UpscalingStepper(CoarseCloth coarse, std::unique_ptr<const Upscaler> upscaler, const physics::ClothModel& fine,
                     const physics::World& world, std::unique_ptr<ShownContact> contact);

    physics::StepReport advance(physics::ClothState& state, double dt, int steps) override;

    std::string note() const override { return coarse_.note; }
    bool tells_bounds() const override { return upscaler_->tells_bounds(); }
    Eigen::VectorXf bounds() const override;
    std::vector<std::byte> memory() const override;
    void set_memory(std::span<const std::byte> memory) override;

private:
    physics::StepReport advance_coarse(double dt, int steps);

    CoarseCloth coarse_;
    std::unique_ptr<const Upscaler> upscaler_;
    const physics::ClothModel& fine_;
    const PushOut push_out_;
    std::unique_ptr<ShownContact> contact_;  // null: off
    UpscaleReport last_;                     // of the last frame
    physics::ClothState coarse_state_;       // empty before the first step
    std::vector<Positions> seen_;            // the last coarse frames, oldest first
    Positions before_;                       // the last fine frame, kept because allocating anew costs time
};

}  // namespace tulle::methods
