// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/force_regression.h"

#include "tulle/collision/collider.h"
#include "tulle/core/parallel.h"
#include "tulle/physics/forces/pressure.h"
#include "tulle/physics/incidence.h"
#include "tulle/physics/stencil.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tulle::methods {

namespace {

using Rows3 = Eigen::Matrix<double, 3, parameter_count>;
using Normal = Eigen::Matrix<double, parameter_count, parameter_count>;
using Vector10 = Eigen::Matrix<double, parameter_count, 1>;

// One moment of the recording.
struct Moment {
    std::vector<Rows3> regressors;       // |V|: acceleration [m/s²] that a unit of each parameter gives
    std::vector<Vector3> accelerations;  // |V| [m/s²], without those of known forces
    std::vector<Matrix3> weights;        // |V|: inverse covariance of an acceleration's noise, but for its variance
    std::vector<bool> used;              // |V|
};

class Regressor {
public:
    Regressor(const KnownCloth& cloth, const MotionRecording& recording, Reading reading,
              const RegressionSettings& settings)
        : cloth_(cloth),
          recording_(recording),
          reading_(reading),
          settings_(settings),
          kinds_(spring_kinds(cloth.model)),
          around_(cloth.model.springs.edges, cloth.model.vertex_count()),
          pinned_(cloth.model.pinned()),
          dt_(recording.frame_time / cloth.steps_per_frame) {
        const double step = 1.0 / cloth.steps_per_frame;  // [frames]
        const int reach = std::max(settings.reach, 1);
        const int degree = settings.degree;
        before_ = local_polynomial(reach, degree, -step);
        now_ = local_polynomial(reach, degree, 0);
        after_ = local_polynomial(reach, degree, step);
        if (cloth.world.wind) known_.push_back(std::make_unique<physics::Wind>(cloth.model, *cloth.world.wind));
        if (cloth.world.pressure != 0)
            known_.push_back(std::make_unique<physics::Pressure>(cloth.model, cloth.world.pressure));
    }

    int reach() const { return now_.reach; }

    // `stiffness`: of each kind, as far as known; for the weights only.
    Moment at(long frame, const std::array<double, 3>& stiffness) const {
        const Positions x0 = apply(before_, recording_, frame), x1 = apply(now_, recording_, frame),
                        x2 = apply(after_, recording_, frame);
        const physics::ClothState start{x1, (x1 - x0) / dt_, recording_.time(frame)};
        Forces outside = Forces::Zero(x1.rows(), 3);
        for (const auto& force : known_) force->add_to(outside, start);
        const auto count = static_cast<size_t>(x1.rows());
        Moment moment{std::vector<Rows3>(count), std::vector<Vector3>(count), std::vector<Matrix3>(count),
                      away_from_colliders(start)};
        parallel_for(x1.rows(), [&](long v) {
            const auto i = static_cast<size_t>(v);
            if (!moment.used[i]) return;
            const double mass = cloth_.model.masses(v);
            moment.accelerations[i] = ((x2 - 2 * x1 + x0).row(v) / (dt_ * dt_) - outside.row(v) / mass).transpose();
            moment.regressors[i] = regressors(static_cast<int>(v), start, x2);
            moment.weights[i] = weight(static_cast<int>(v), x1, stiffness);
        });
        return moment;
    }

private:
    // The force of a spring of each kind and of its dashpot, drag and gravity.
    Rows3 regressors(int v, const physics::ClothState& start, const Positions& end) const {
        Rows3 rows = Rows3::Zero();
        const physics::Springs& springs = cloth_.model.springs;
        const Positions& x = reading_ == Reading::EndOfStep ? end : start.positions;
        for (const auto& [e, corner] : around_.around(v)) {
            const int other = springs.edges(e, 1 - corner);
            const Vector3 d = (x.row(other) - x.row(v)).transpose();
            const double length = d.norm(), rest = springs.rest_lengths(e);
            const Vector3 n = d / std::max(length, 1e-30);
            double rate = n.dot((start.velocities.row(other) - start.velocities.row(v)).transpose());
            if (reading_ == Reading::EndOfStep)
                rate = (length - (start.positions.row(other) - start.positions.row(v)).norm()) / dt_;
            const int kind = kinds_[static_cast<size_t>(e)];
            rows.col(kind) += (length - rest) / (cloth_.stiffness_per_length ? rest : 1) * n;
            rows.col(3 + kind) += rate * n;
        }
        rows.leftCols<6>() /= cloth_.model.masses(v);
        rows.col(6) = -start.velocities.row(v).transpose();
        rows.rightCols<3>().setIdentity();
        return rows;
    }

    // A displacement of a spring's end changes its force by k n nᵀ + k (1 − L/ℓ)(I − n nᵀ).
    Matrix3 weight(int v, const Positions& x, const std::array<double, 3>& stiffness) const {
        Matrix3 squares = Matrix3::Zero(), sum = Matrix3::Zero();
        const physics::Springs& springs = cloth_.model.springs;
        for (const auto& [e, corner] : around_.around(v)) {
            const Vector3 d = (x.row(springs.edges(e, 1 - corner)) - x.row(v)).transpose();
            const double length = std::max(d.norm(), 1e-30), rest = springs.rest_lengths(e);
            const double k = stiffness[static_cast<size_t>(kinds_[static_cast<size_t>(e)])] /
                             (cloth_.stiffness_per_length ? rest : 1);
            const Matrix3 along = d * d.transpose() / (length * length);
            const Matrix3 change = k * (along + (1 - rest / length) * (Matrix3::Identity() - along));
            squares += change * change;
            sum += change;
        }
        const double mass = cloth_.model.masses(v);
        const VectorX second = (before_.weights - 2 * now_.weights + after_.weights) / (dt_ * dt_);
        const Matrix3 covariance =
            now_.noise_gain() * (squares + sum * sum) / (mass * mass) + second.squaredNorm() * Matrix3::Identity();
        const double scale = covariance.trace();
        return (covariance + 1e-12 * scale * Matrix3::Identity()).inverse();
    }

    std::vector<bool> away_from_colliders(const physics::ClothState& state) const {
        std::vector<bool> used(pinned_.size());
        for (size_t v = 0; v < used.size(); ++v) used[v] = !pinned_[v];
        const double spacing = cloth_.model.springs.rest_lengths.minCoeff();
        for (const collision::Collider& collider : *cloth_.world.colliders) {
            const collision::PlacedCollider placed(collider, state.time);
            const Eigen::Isometry3d to_shape = placed.to_world().inverse();
            for (size_t v = 0; v < used.size(); ++v) {
                const Vector3 point = to_shape * Vector3(state.positions.row(static_cast<long>(v)));
                if (placed.shape().distance(point) < collider.thickness + 2 * spacing) used[v] = false;
            }
        }
        return used;
    }

    const KnownCloth& cloth_;
    const MotionRecording& recording_;
    Reading reading_;
    RegressionSettings settings_;
    std::vector<int> kinds_;
    physics::Incidence around_;
    std::vector<bool> pinned_;
    double dt_;
    TimeKernel before_, now_, after_;
    physics::ForceList known_;
};

struct Equations {
    Normal matrix = Normal::Zero();     // Σ Zᵀ W A
    Vector10 right = Vector10::Zero();  // Σ Zᵀ W b
    Normal self = Normal::Zero();       // Σ Aᵀ W A
    Vector10 self_right = Vector10::Zero();
    double squares = 0;  // Σ bᵀ W b
};

// Fixed blocks of vertices, added in order: the same bits at any number of threads.
void add(Equations& equations, const Moment& earlier, const Moment& now, const Moment& later) {
    constexpr long block = 256;
    const auto count = static_cast<long>(now.weights.size());
    std::vector<Equations> parts(static_cast<size_t>((count + block - 1) / block));
    parallel_ranges(
        static_cast<long>(parts.size()),
        [&](long begin, long end) {
            for (long p = begin; p < end; ++p)
                for (long v = p * block; v < std::min(count, (p + 1) * block); ++v) {
                    const auto i = static_cast<size_t>(v);
                    if (!now.used[i] || !earlier.used[i] || !later.used[i]) continue;
                    Equations& part = parts[static_cast<size_t>(p)];
                    const Rows3 weighted = now.weights[i] * now.regressors[i];
                    const Rows3 instruments = 0.5 * now.weights[i] * (earlier.regressors[i] + later.regressors[i]);
                    part.matrix += instruments.transpose() * now.regressors[i];
                    part.right += instruments.transpose() * now.accelerations[i];
                    part.self += weighted.transpose() * now.regressors[i];
                    part.self_right += weighted.transpose() * now.accelerations[i];
                    part.squares += now.accelerations[i].dot(now.weights[i] * now.accelerations[i]);
                }
        },
        4);
    for (const Equations& part : parts) {
        equations.matrix += part.matrix;
        equations.right += part.right;
        equations.self += part.self;
        equations.self_right += part.self_right;
        equations.squares += part.squares;
    }
}

// Ridge of a part in 10¹² of the diagonal, so that a parameter without any effect comes out as zero.
VectorX solve(const Eigen::MatrixXd& matrix, const VectorX& right, const VectorX& scale) {
    Eigen::MatrixXd damped = scale.cwiseInverse().asDiagonal() * matrix * scale.cwiseInverse().asDiagonal();
    damped.diagonal().array() += 1e-12;
    return scale.cwiseInverse().asDiagonal() *
           VectorX(damped.fullPivLu().solve(scale.cwiseInverse().asDiagonal() * right));
}

ClothParameters finished(VectorX values, Reading reading, double dt) {
    // v⁺ = e (v + Δt a) with e = exp(−d Δt), so that the accelerations show e k, e c, e g and (1 − e)/Δt; an implicit
    // step multiplies by e only the velocity that it starts with.
    const double kept = std::clamp(1 - values(6) * dt, 1e-3, 1.0);
    values(6) = -std::log(kept) / dt;
    if (reading == Reading::StartOfStep) {
        values.head<6>() /= kept;
        values.tail<3>() /= kept;
    }
    values.head<6>() = values.head<6>().cwiseMax(0);
    return to_parameters(values);
}

}  // namespace

Regression regress_forces(const KnownCloth& cloth, const MotionRecording& recording, Reading reading,
                          const RegressionSettings& settings) {
    const Regressor regressor(cloth, recording, reading, settings);
    const long reach = regressor.reach();
    const long most_moments = 24;
    const long stride = std::max(2 * reach + 1, (recording.count() - 2 * reach) / most_moments);
    const double dt = recording.frame_time / cloth.steps_per_frame;
    // What a step of this length could just take stands for the stiffness at first.
    const double mean_mass = cloth.model.masses.mean();
    const double unit = cloth.stiffness_per_length ? cloth.model.springs.rest_lengths.minCoeff() : 1;
    std::array<double, 3> stiffness;
    stiffness.fill(0.02 * mean_mass / (dt * dt) * unit);
    const Eigen::MatrixXd law = law_matrix(settings.law);
    Regression found{.parameters = {}, .attenuated = {}, .reading = reading, .residual = 1};
    for (int pass = 0; pass < 3; ++pass) {
        Equations equations;
        std::optional<Moment> earlier, now;
        for (long frame = reach; frame + reach < recording.count(); frame += stride) {
            Moment later = regressor.at(frame, stiffness);
            if (earlier && now) add(equations, *earlier, *now, later);
            earlier = std::move(now);
            now = std::move(later);
        }
        const VectorX scale = (law.transpose() * equations.self * law).diagonal().cwiseMax(1e-300).cwiseSqrt();
        const VectorX free = solve(law.transpose() * equations.matrix * law, law.transpose() * equations.right, scale);
        const VectorX values = law * free;
        const double left =
            equations.squares - 2 * values.dot(equations.self_right) + values.dot(equations.self * values);
        found.residual = std::sqrt(std::max(left, 0.0) / std::max(equations.squares, 1e-300));
        found.parameters = finished(values, reading, dt);
        found.attenuated =
            finished(law * solve(law.transpose() * equations.self * law, law.transpose() * equations.self_right, scale),
                     reading, dt);
        for (size_t i = 0; i < 3; ++i)
            if (found.parameters.stiffness[i] > 0) stiffness[i] = found.parameters.stiffness[i];
    }
    return found;
}

}  // namespace tulle::methods
