// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/force.h"
#include "tulle/physics/interaction.h"

namespace tulle::physics {

class Gravity final : public Force {
public:
    // The interaction must outlive it; null: there is none.
    Gravity(const ClothModel& model, const Vector3& acceleration /* [m/s²] */, const Interaction* interaction = nullptr)
        : masses_(model.masses), acceleration_(acceleration), interaction_(interaction) {}

    Vector3 acceleration() const {
        return interaction_ ? Vector3(acceleration_ + interaction_->gravity_change) : acceleration_;
    }
    void add_to(Forces& forces, const ClothState& state) const override;

private:
    VectorX masses_;
    Vector3 acceleration_;
    const Interaction* interaction_;
};

}  // namespace tulle::physics
