// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/force.h"

namespace tulle::physics {

class Gravity final : public Force {
public:
    Gravity(const ClothModel& model, const Vector3& acceleration /* [m/s²] */)
        : masses_(model.masses), acceleration_(acceleration) {}

    const Vector3& acceleration() const { return acceleration_; }
    void add_to(Forces& forces, const ClothState& state) const override;

private:
    VectorX masses_;
    Vector3 acceleration_;
};

}  // namespace tulle::physics
