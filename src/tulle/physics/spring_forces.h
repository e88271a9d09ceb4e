// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/incidence.h"

namespace tulle::physics {

// What the cloth does to itself: springs, dashpots and hinges. The model must outlive it.
class SpringForces {
public:
    explicit SpringForces(const ClothModel& model);

    Forces at(const ClothState& state) const;  // |V|×3 [N]

private:
    const ClothModel& model_;
    Incidence springs_around_;
    numerics::SparseMatrix bending_;  // |V|×|V| [N/m]
};

}  // namespace tulle::physics
