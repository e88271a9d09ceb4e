// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/quasistatics.h"

#include "tulle/core/error.h"
#include "tulle/numerics/newton_minimiser.h"

#include <algorithm>
#include <cmath>

namespace tulle::projections {

namespace {

const Cloth& checked(const Cloth& cloth, const QuasistaticsSettings& settings) {
    check(cloth);
    if (!(settings.mu > 0) || !std::isfinite(settings.mu)) throw Error("mu is {}; it must be positive", settings.mu);
    const auto is_stiffness = [](double value) { return value >= 0 && std::isfinite(value); };
    if (!is_stiffness(settings.material.bending) || !is_stiffness(settings.material.axial))
        throw Error("stiffnesses must be finite and not negative");
    if (!(settings.tolerance > 0) || settings.max_iterations < 0)
        throw Error("a tolerance must be positive and a number of iterations not negative");
    if (!(settings.adjoint_tolerance > 0) || !(settings.adjoint_tolerance <= 0.1))
        throw Error("the tolerance of gradients is {}; it must be positive and at most 0.1",
                    settings.adjoint_tolerance);
    return cloth;
}

// A NewtonObjective.
class Descent {
public:
    Descent(const QuasistaticEnergy& energy, const QuasistaticEnergy::Anchor& anchor, double scale)
        : energy_(energy), anchor_(anchor), scale_(scale), blocks_(energy.pattern()) {}

    // The line search asks for the value where it ended once more.
    double value(const Positions& x) {
        if (x.rows() == last_.rows() && x == last_) return last_value_;
        last_ = x;
        return last_value_ = energy_.value(x, anchor_);
    }
    Positions gradient(const Positions& x) const { return energy_.gradient(x, anchor_); }

    Positions descent_direction(const Positions& x, const Positions& gradient, double residual) {
        const double relative = residual * scale_;
        // Solving only as well as the step deserves still converges superlinearly (Nocedal and Wright, section 7.1).
        const BlockCgSettings cg{.tolerance = std::clamp(std::sqrt(relative), 1e-3, 0.1), .max_iterations = 400};
        // A definite Hessian crawls through buckling modes, the exact one is of little use far from the minimum. Where
        // the exact one is not definite, conjugate gradients stop with a direction downhill [Steihaug 1983].
        Positions direction;
        for (const bool exact : {true, false}) {
            if (exact && relative > 2e-3) continue;
            energy_.hessian(x, anchor_, exact ? 1 : 0, blocks_);
            const BlockCgReport report =
                solve_single(energy_.pattern(), blocks_, energy_.fixed(), -gradient, direction, cg);
            if (report.iterations > 0) break;
        }
        return direction;
    }

private:
    const QuasistaticEnergy& energy_;
    const QuasistaticEnergy::Anchor& anchor_;
    double scale_;  // of residuals: they are relative to where the descent starts, which may be better than r̂
    SingleBlocks blocks_;
    Positions last_;
    double last_value_ = 0;
};

}  // namespace

Quasistatics::Quasistatics(const Cloth& cloth, const QuasistaticsSettings& settings)
    : cloth_(checked(cloth, settings)), settings_(settings), energy_(cloth, settings.material) {}

Projected Quasistatics::apply(const Positions& positions, const ApplyOptions& options) const {
    check_positions(cloth_, positions);
    Projected projected{.input = positions, .positions = positions};
    projected.mu = options.mu ? *options.mu : VectorX(VectorX::Constant(positions.rows(), settings_.mu));
    if (projected.mu.size() != positions.rows() || !(projected.mu.minCoeff() > 0) || !projected.mu.allFinite())
        throw Error("mu must be positive and finite for each of the {} vertices", positions.rows());
    const Eigen::RowVector3d center = positions.colwise().mean();  // near the origin numbers are finer
    const Positions targets = positions.rowwise() - center;
    const QuasistaticEnergy::Anchor anchor{targets, projected.mu};
    const double size = numerics::norm(energy_.gradient(targets, anchor));
    Positions x = targets;
    double start = size;
    if (options.previous && options.previous->positions.rows() == positions.rows()) {
        Positions carried = targets + (options.previous->positions - options.previous->input);
        for (const int v : cloth_.fixed) carried.row(v) = targets.row(v);
        if (energy_.value(carried, anchor) < energy_.value(targets, anchor)) {
            x = carried;
            start = numerics::norm(energy_.gradient(x, anchor));
        }
    }
    ProjectionReport& report = projected.report;
    Descent descent(energy_, anchor, size > 0 ? start / size : 0);
    const double rounding = 1e-15 * energy_.length_scale() * std::sqrt(static_cast<double>(positions.rows()));
    const numerics::NewtonMinimiserReport found =
        numerics::minimise_newton(descent, x,
                                  {.tolerance = start > 0 ? settings_.tolerance * size / start : 1,
                                   .max_iterations = settings_.max_iterations,
                                   .rounding = rounding});
    report.iterations = found.iterations;
    report.gradient = size > 0 ? found.residual * start / size : 0;
    report.solved = found.converged();
    if (!x.allFinite() || !std::isfinite(report.gradient)) {
        x = targets;
        report.gradient = 1;
        report.solved = false;
        report.problem = "the numbers left what can be computed with; the positions are as they were";
    } else if (!report.solved) {
        report.problem = fmt::format("not at rest after {} steps: the gradient is {:.1e} of what it was",
                                     report.iterations, report.gradient);
    }
    report.objective = energy_.value(x, anchor);
    for (long v = 0; v < x.rows(); ++v)  // what did not move keeps its bits
        if (x.row(v) != targets.row(v)) projected.positions.row(v) = x.row(v) + center;
    return projected;
}

// Conjugate gradients in single precision, whose answer is improved until it is right in double; or a factor.
Positions Quasistatics::solve(const BlockMatrix& matrix, const Positions& right, AdjointReport& report) const {
    const double tolerance = settings_.adjoint_tolerance, size = numerics::norm(right);
    Positions x = Positions::Zero(right.rows(), 3), correction;
    Positions residual = right;
    const SingleBlocks single(energy_.pattern(), matrix);
    for (int i = 0; i < 8; ++i) {
        report.residual = size > 0 ? numerics::norm(residual) / size : 0;
        if (report.residual <= tolerance) return x;
        const BlockCgReport cg = solve_single(energy_.pattern(), single, energy_.fixed(), residual, correction,
                                              {.tolerance = std::max(1e-4, 0.5 * tolerance), .max_iterations = 400});
        if (cg.negative_curvature) throw Error("the Hessian is not positive definite");
        if (cg.residual > 0.1) break;
        x += correction;
        residual = right - multiply(energy_.pattern(), matrix, energy_.fixed(), x);
    }
    const FactorPool::Loan factor = factors_.factor(lower_half(energy_.pattern(), matrix, energy_.fixed()));
    const VectorX solved = (*factor).solve(VectorX(Eigen::Map<const VectorX>(right.data(), right.size())));
    x = Eigen::Map<const Positions>(solved.data(), right.rows(), 3);
    residual = right - multiply(energy_.pattern(), matrix, energy_.fixed(), x);
    report.residual = size > 0 ? numerics::norm(residual) / size : 0;
    return x;
}

Gradients Quasistatics::adjoint(const Projected& projected, const Positions& gradient) const {
    check_positions(cloth_, gradient);
    const Eigen::RowVector3d center = projected.input.colwise().mean();
    const Positions targets = projected.input.rowwise() - center;
    const Positions x = projected.positions.rowwise() - center;
    const QuasistaticEnergy::Anchor anchor{targets, projected.mu};
    Positions free = gradient;
    for (const int v : cloth_.fixed) free.row(v).setZero();
    Gradients gradients;
    Positions motion;
    if (settings_.adjoint == Curvature::Exact) {
        try {
            motion = solve(energy_.hessian(x, anchor, Curvature::Exact), free, gradients.report);
        } catch (const Error&) {
            gradients.report.definite = false;
        }
    }
    if (motion.rows() == 0) motion = solve(energy_.hessian(x, anchor, Curvature::Definite), free, gradients.report);
    // A factor gives what double precision can, which may be a little more than a strict tolerance.
    gradients.report.solved = gradients.report.residual <= std::max(settings_.adjoint_tolerance, 1e-6);
    const VectorX& masses = energy_.masses();
    gradients.positions = projected.mu.cwiseProduct(masses).asDiagonal() * motion;
    gradients.vertex_mu = -masses.cwiseProduct((x - targets).cwiseProduct(motion).rowwise().sum());
    const Positions forces = energy_.forces_on_fixed(x, motion);
    for (const int v : cloth_.fixed) {
        gradients.positions.row(v) = gradient.row(v) - forces.row(v);
        gradients.vertex_mu(v) = 0;
    }
    gradients.mu = gradients.vertex_mu.sum();
    return gradients;
}

}  // namespace tulle::projections
