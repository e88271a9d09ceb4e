// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/sparse_cholesky.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/incidence.h"

namespace tulle::physics {

// M + Δt² (Σ k DᵀD + Q), |V|×|V| [kg]: the Hessian of the step if every spring were at its stiffest, and the constant
// matrix of projective dynamics with weights w² = k.
numerics::SparseMatrix system_matrix(const ClothModel& model, double dt);
// The same with weights w² [N/m] of one's own, one for each spring, in place of k.
numerics::SparseMatrix system_matrix(const ClothModel& model, double dt, const VectorX& weights);
// The same with the rows and columns of pinned vertices replaced by the identity's.
numerics::SparseMatrix hold_pins(const numerics::SparseMatrix& matrix, const std::vector<bool>& pinned);

// What an implicit step minimises, times Δt²: E(x) = ½ ‖x − x̃‖²_M + Δt² U(x). Pinned vertices do not vary.
class StepObjective {
public:
    StepObjective(const ClothModel& model, double dt);

    // Starts a step towards the inertial positions x̃, with the rest lengths of damped springs.
    void begin(Positions inertial, VectorX rest_lengths);

    double value(const Positions& x) const;     // [J s²]
    Forces gradient(const Positions& x) const;  // |V|×3 [N s²], zero where pinned

    enum class Curvature { Exact, Projected };  // projected: positive definite, away from the minimum
    // Keeps the Hessian at x for apply_hessian and hessian_diagonals.
    void linearise(const Positions& x, Curvature curvature);
    Positions apply_hessian(const Positions& direction) const;
    Rows<double, 9> hessian_diagonals() const;  // |V| 3×3 blocks; the identity where pinned

private:
    // across · I + (along − across) n nᵀ: the Hessian of one spring.
    struct SpringHessian {
        Vector3 n;
        double across, along;  // [N/m]
        Vector3 operator*(const Vector3& d) const { return across * d + (along - across) * n.dot(d) * n; }
    };
    // M·inertia + Δt² (Q·bent + Σ Dᵀ pulls), zero where pinned.
    Forces assemble(const Positions& inertia, const Positions& bent, const Forces& pulls) const;
    Vector3 difference(const Positions& x, long e) const {
        return x.row(model_.springs.edges(e, 0)) - x.row(model_.springs.edges(e, 1));
    }

    const ClothModel& model_;
    double dt_;
    std::vector<bool> pinned_;
    VectorX stiffness_;               // |E| [N/m], damping included
    numerics::SparseMatrix bending_;  // |V|×|V| [N/m]
    Incidence springs_around_;
    Positions inertial_;
    VectorX rest_lengths_;
    std::vector<SpringHessian> hessians_;  // |E|
};

}  // namespace tulle::physics
