// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_state.h"

#include <memory>
#include <vector>

namespace tulle::physics {

// A force from outside the cloth, taken at the start of a step. A solver feels those it is handed, of any kind.
class Force {
public:
    virtual ~Force() = default;
    // Adds the force on every vertex, |V|×3 [N].
    virtual void add_to(Forces& forces, const ClothState& state) const = 0;
};

using ForceList = std::vector<std::unique_ptr<const Force>>;

}  // namespace tulle::physics
