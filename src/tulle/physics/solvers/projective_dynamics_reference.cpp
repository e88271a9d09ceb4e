// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics_reference.h"

#include "tulle/physics/damped_springs.h"
#include "tulle/physics/step_objective.h"

#include <Eigen/SparseCholesky>

namespace tulle::physics {

struct ProjectiveDynamicsReference::Factor {
    Factor(const ClothModel& model, const std::vector<bool>& pinned, double step)
        : dt(step), matrix(system_matrix(model, step)), held(hold_pins(matrix, pinned)), cholesky(held) {}

    double dt;
    numerics::SparseMatrix matrix;  // M + Δt² Σ w² DᵀD, all vertices
    numerics::SparseMatrix held;    // the same with pins held
    Eigen::SimplicialLDLT<numerics::SparseMatrix> cholesky;
};

ProjectiveDynamicsReference::ProjectiveDynamicsReference(const ClothModel& model, const World& world, ForceList forces,
                                                         const ProjectiveDynamicsSettings& settings)
    : Solver(model, world, std::move(forces)), settings_(settings) {}

ProjectiveDynamicsReference::~ProjectiveDynamicsReference() = default;

void ProjectiveDynamicsReference::step(ClothState& state, double dt, StepReport& report) {
    if (!factor_ || factor_->dt != dt) factor_ = std::make_unique<Factor>(model_, pinned_, dt);
    stiffness_ = effective_stiffness(model_.springs, dt);
    rest_lengths_ = effective_rest_lengths(model_.springs, state.positions, dt);
    u_ = z_ = Positions::Zero(model_.springs.count(), 3);

    const Positions inertial = inertial_positions(state, dt);
    Positions positions = inertial;
    for (report.iterations = 0; report.iterations < settings_.iterations;) {
        project_locally(positions);
        Positions next = solve_globally(inertial, dt);
        report.residual = (next - positions).norm() / std::max((next - state.positions).norm(), 1e-30);
        positions = std::move(next);
        ++report.iterations;
        if (report.residual <= settings_.tolerance) break;
    }
    complete(state, std::move(positions), dt, report);
}

// zᵢ ← argmin Uᵢ(z) + ½w²‖Dᵢx + uᵢ − z‖²: along p = Dᵢx + uᵢ, of length (kL + w²|p|)/(k + w²), here with w² = k;
// then uᵢ ← uᵢ + Dᵢx − zᵢ.
void ProjectiveDynamicsReference::project_locally(const Positions& positions) {
    for (long e = 0; e < model_.springs.count(); ++e) {
        const Vector3 p =
            (positions.row(model_.springs.edges(e, 0)) - positions.row(model_.springs.edges(e, 1)) + u_.row(e));
        const double length = std::max(p.norm(), 1e-20);
        z_.row(e) = 0.5 * (rest_lengths_(e) + length) / length * p;
        u_.row(e) = p - z_.row(e).transpose();
    }
}

// (M + Δt² Σ w² DᵀD) x = M x̃ + Δt² Σ w² Dᵀ(z − u), for the free vertices given the pinned ones.
Positions ProjectiveDynamicsReference::solve_globally(const Positions& inertial, double dt) const {
    Positions rhs = model_.masses.asDiagonal() * inertial;
    for (long e = 0; e < model_.springs.count(); ++e) {
        const Vector3 pull = dt * dt * stiffness_(e) * (z_.row(e) - u_.row(e));
        rhs.row(model_.springs.edges(e, 0)) += pull;
        rhs.row(model_.springs.edges(e, 1)) -= pull;
    }
    Positions held = Positions::Zero(inertial.rows(), 3);
    for (long v = 0; v < held.rows(); ++v)
        if (pinned_[static_cast<size_t>(v)]) held.row(v) = inertial.row(v);
    rhs -= factor_->matrix * held;
    for (long v = 0; v < held.rows(); ++v)
        if (pinned_[static_cast<size_t>(v)]) rhs.row(v) = inertial.row(v);
    return factor_->cholesky.solve(Eigen::MatrixX3d(rhs));
}

}  // namespace tulle::physics
