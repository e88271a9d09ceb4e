// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/force.h"
#include "tulle/physics/interaction.h"

#include <vector>

namespace tulle::physics {

// The vertices that a hand holds. Their weights fall off smoothly from the middle, as do what they weigh, so that a
// pull moves them all alike.
struct HeldPatch {
    std::vector<int> vertices;  // without pinned ones
    VectorX weights;            // they sum to one: the held point is Σ wᵢ xᵢ
    double mass = 0;            // [kg] that the held point resists a pull with, 1 / Σ wᵢ²/mᵢ

    Vector3 mean(const Positions& rows) const;  // Σ wᵢ rowᵢ
};

// Around a point of the start shape. At least the nearest free vertex; empty if all are pinned.
HeldPatch held_patch(const ClothModel& model, const Vector3& point, double radius);

// What a hand pulls the held point with [N]: a spring and a damper, m/τ² (target − x) − m/τ v. An implicit step of at
// most τ stays stable whatever the cloth is made of: m is no more than what it moves, so that no step overshoots.
Vector3 grab_pull(const Grab& grab, double mass, const Vector3& point, const Vector3& velocity);

// All that is held at the moment. The interaction must outlive it.
class Grabs final : public Force {
public:
    Grabs(const ClothModel& model, const Interaction& interaction);

    void add_to(Forces& forces, const ClothState& state) const override;

private:
    struct Held {
        Vector3 point;
        double radius;
        HeldPatch patch;
    };
    const HeldPatch& patch_of(const Grab& grab) const;

    const ClothModel& model_;
    const Interaction& interaction_;
    mutable std::vector<Held> held_;  // found once for a grab that lasts many steps
};

}  // namespace tulle::physics
