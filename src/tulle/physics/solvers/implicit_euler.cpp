// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/implicit_euler.h"

#include "tulle/numerics/conjugate_gradients.h"
#include "tulle/physics/damped_springs.h"

#include <Eigen/LU>

namespace tulle::physics {

void ImplicitEuler::step(ClothState& state, double dt, StepReport& report) {
    if (prepared_dt_ != dt) {
        objective_.emplace(model_, dt);
        prepared_dt_ = dt;
    }
    Stopwatch watch;
    objective_->begin(inertial_positions(state, dt), effective_rest_lengths(model_.springs, state.positions, dt));
    report.stages["forces"] += watch.lap();
    Positions positions = state.positions;
    model_.place_pins(state.time + dt, positions);
    report.iterations = 0;
    for (int i = 0; i < settings_.newton_steps; ++i) positions += newton_step(positions, report);
    report.stages["conjugate_gradients"] += watch.lap();
    complete(state, std::move(positions), dt, report);
}

Positions ImplicitEuler::newton_step(const Positions& positions, StepReport& report) {
    objective_->linearise(positions, StepObjective::Curvature::Projected);
    Rows<double, 9> inverse_blocks = objective_->hessian_diagonals();
    for (auto block : inverse_blocks.rowwise()) {
        const Matrix3 inverse = Eigen::Map<const Matrix3>(block.data()).inverse();
        block = Eigen::Map<const Eigen::Matrix<double, 1, 9>>(inverse.data());
    }
    const auto apply = [&](const Positions& d) { return objective_->apply_hessian(d); };
    const auto precondition = [&](const Positions& r) {
        Positions image(r.rows(), 3);
        parallel_for(r.rows(), [&](long v) {
            image.row(v) = Eigen::Map<const Matrix3>(inverse_blocks.row(v).data()) * r.row(v).transpose();
        });
        return image;
    };
    Positions step;
    const auto cg =
        numerics::conjugate_gradients(apply, precondition, -objective_->gradient(positions), step,
                                      {.max_iterations = settings_.cg_iterations, .tolerance = settings_.cg_tolerance});
    report.iterations += cg.iterations;
    report.residual = cg.residual;
    return step;
}

}  // namespace tulle::physics
