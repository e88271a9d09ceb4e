// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/cloth_model.h"

namespace tulle::physics {

// Quadratic bending: U(x) = ½ Σ_h k_h ‖Σᵢ wᵢ xᵢ‖² = ½ tr(xᵀ Q x), so its gradient is Q x and its Hessian is Q for each
// coordinate, constant.
numerics::SparseMatrix bending_matrix(const Hinges& hinges, int vertex_count);  // |V|×|V| [N/m]
double bending_energy(const Hinges& hinges, const Positions& positions);        // [J]

}  // namespace tulle::physics
