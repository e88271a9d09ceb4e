// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/projective_dynamics_reference.h"

#include "tulle/physics/damped_springs.h"
#include "tulle/physics/solvers/admm_weights.h"
#include "tulle/physics/step_objective.h"

#include <Eigen/SparseCholesky>

namespace tulle::physics {

struct ProjectiveDynamicsReference::Factor {
    Factor(const ClothModel& model, const std::vector<bool>& pinned, double step,
           const ProjectiveDynamicsSettings& settings)
        : dt(step),
          weights(admm_weights(model, step, settings)),
          matrix(system_matrix(model, step, weights)),
          held(hold_pins(matrix, pinned)),
          cholesky(held) {}

    double dt;
    VectorX weights;                // |E| w² [N/m]
    numerics::SparseMatrix matrix;  // M + Δt² Σ w² DᵀD, all vertices
    numerics::SparseMatrix held;    // the same with pins held
    Eigen::SimplicialLDLT<numerics::SparseMatrix> cholesky;
};

ProjectiveDynamicsReference::ProjectiveDynamicsReference(const ClothModel& model, const World& world, ForceList forces,
                                                         const ProjectiveDynamicsSettings& settings)
    : Solver(model, world, std::move(forces)), settings_(settings), carried_(model, world, inverse_masses_) {}

ProjectiveDynamicsReference::~ProjectiveDynamicsReference() = default;

void ProjectiveDynamicsReference::step(ClothState& state, double dt, StepReport& report) {
    if (!factor_ || factor_->dt != dt) factor_ = std::make_unique<Factor>(model_, pinned_, dt, settings_);
    stiffness_ = effective_stiffness(model_.springs, dt);
    rest_lengths_ = effective_rest_lengths(model_.springs, state.positions, dt);
    z_ = Positions::Zero(model_.springs.count(), 3);

    const Positions inertial = inertial_positions(state, dt);
    const bool remembers = settings_.scheme == AdmmScheme::Balanced;
    // With their tensions, springs that rest would be thrown off by a start where their weight has moved them already.
    Positions positions = remembers ? coasting_positions(state, inertial, dt) : inertial;
    VectorX none = VectorX::Zero(model_.springs.count());
    VectorX& tensions = remembers ? carried_.tensions.at(state.time, model_.springs.count()) : none;
    const bool presses = remembers && carried_.pressure.acts();
    if (presses) carried_.pressure.begin(state, dt);
    const int per_round = presses ? iterations_per_correction : settings_.iterations;
    Positions target = inertial;
    for (report.iterations = 0; report.iterations < settings_.iterations;) {
        if (report.iterations % per_round == 0) {
            if (presses) target = carried_.pressure.pushed(inertial);
            put_back(tensions, positions);
        }
        project_locally(positions, tensions);
        Positions next = solve_globally(target, dt);
        report.residual = (next - positions).norm() / std::max((next - state.positions).norm(), 1e-30);
        positions = std::move(next);
        ++report.iterations;
        const bool is_last = report.iterations == settings_.iterations;
        if (presses && (is_last || report.iterations % per_round == 0)) {
            Positions pressed = carried_.pressure.correct(positions);
            if (!is_last) positions = std::move(pressed);
        }
        if (!presses && report.residual <= settings_.tolerance) break;
    }
    complete(state, std::move(positions), dt, report);
    if (remembers) carried_.keep_until(state.time);
}

// u is what would hold the tension: tension/w² along the spring. A compressed spring keeps a tenth of its length, so
// that it never turns round.
void ProjectiveDynamicsReference::put_back(const VectorX& tensions, const Positions& positions) {
    u_ = Positions::Zero(model_.springs.count(), 3);
    for (long e = 0; e < model_.springs.count(); ++e) {
        if (tensions(e) == 0) continue;
        const Vector3 d = positions.row(model_.springs.edges(e, 0)) - positions.row(model_.springs.edges(e, 1));
        const double length = std::max(d.norm(), 1e-20);
        u_.row(e) = std::max(tensions(e) / factor_->weights(e), -0.9 * length) / length * d;
    }
}

// zᵢ ← argmin Uᵢ(z) + ½w²‖Dᵢx + uᵢ − z‖²: along p = Dᵢx + uᵢ, of length (kL + w²|p|)/(k + w²);
// then uᵢ ← uᵢ + Dᵢx − zᵢ, which the tension w²(|p| − |z|) goes along.
void ProjectiveDynamicsReference::project_locally(const Positions& positions, VectorX& tensions) {
    for (long e = 0; e < model_.springs.count(); ++e) {
        const double k = stiffness_(e), w2 = factor_->weights(e);
        if (k == 0) continue;
        const Vector3 p =
            (positions.row(model_.springs.edges(e, 0)) - positions.row(model_.springs.edges(e, 1)) + u_.row(e));
        const double length = std::max(p.norm(), 1e-20);
        const double share = k / (k + w2);
        z_.row(e) = (share * rest_lengths_(e) + (1 - share) * length) / length * p;
        u_.row(e) = p - z_.row(e).transpose();
        tensions(e) = w2 * share * (length - rest_lengths_(e));
    }
}

// (M + Δt² Σ w² DᵀD) x = M x̃ + Δt² Σ w² Dᵀ(z − u), for the free vertices given the pinned ones.
Positions ProjectiveDynamicsReference::solve_globally(const Positions& inertial, double dt) const {
    Positions rhs = model_.masses.asDiagonal() * inertial;
    for (long e = 0; e < model_.springs.count(); ++e) {
        const Vector3 pull = dt * dt * factor_->weights(e) * (z_.row(e) - u_.row(e));
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
