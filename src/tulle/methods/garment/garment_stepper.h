// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/garment/inferred_garment.h"
#include "tulle/methods/push_out.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"
#include "tulle/projections/projection.h"

#include <functional>
#include <memory>
#include <optional>

namespace tulle::methods {

// How the body that wears a garment moves.
struct WearersMotion {
    std::function<body::Pose(double time)> pose_at;  // [s]
    Eigen::Affine3d to_world;                        // from the character's own space
};

// What happens to a garment after its network.
struct GarmentFinish {
    std::unique_ptr<const projections::Projection> projection;  // null: none
    VectorX mu;                                                 // |V| of quasistatics; empty: the projection's own
    bool pushes_out = false;                                    // of colliders, at last
};

// Shows at the end of each step the garment that the body's pose there asks for, whatever was before.
class GarmentStepper final : public physics::Stepper {
public:
    // `model` and `world` must outlive this.
    GarmentStepper(std::unique_ptr<const InferredGarment> garment, WearersMotion motion, GarmentFinish finish,
                   const physics::ClothModel& model, const physics::World& world);

    // Counters: "poses_outside" the range of training, "unsolved_projections", "pushed_out_vertices".
    physics::StepReport advance(physics::ClothState& state, double dt, int steps) override;

    // Where the next projection starts from.
    std::vector<std::byte> memory() const override;
    void set_memory(std::span<const std::byte> memory) override;

private:
    void project(Positions& positions, physics::StepReport& report);

    std::unique_ptr<const InferredGarment> garment_;
    WearersMotion motion_;
    GarmentFinish finish_;
    const physics::ClothModel& model_;
    std::optional<PushOut> push_out_;
    projections::Projected previous_;  // empty before the first
};

}  // namespace tulle::methods
