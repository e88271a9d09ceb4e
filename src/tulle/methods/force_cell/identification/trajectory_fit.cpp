// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/trajectory_fit.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/identification/fit_statistics.h"
#include "tulle/methods/force_cell/identification/start_modes.h"
#include "tulle/methods/force_cell/identification/trajectory_runs.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

// What counts as a large change of each parameter: of its own size, or of what would matter to this cloth.
VectorX parameter_scales(const KnownCloth& cloth, const ClothParameters& parameters, double duration) {
    const double mass = cloth.model.masses.mean();
    VectorX scales(parameter_count);
    const double stiffest = *std::max_element(parameters.stiffness.begin(), parameters.stiffness.end());
    const double length = cloth.stiffness_per_length ? cloth.model.springs.rest_lengths.minCoeff() : 1;
    const double critical = std::sqrt(std::max(stiffest, 1e-12) / length * mass);
    for (size_t i = 0; i < 3; ++i) {
        scales(static_cast<long>(i)) = std::max(parameters.stiffness[i], 0.02 * stiffest);
        scales(static_cast<long>(3 + i)) = std::max(parameters.damping[i], 0.05 * critical);
    }
    scales(6) = std::max(parameters.drag, 0.3 / duration);
    scales.tail<3>().setConstant(std::max(parameters.gravity.norm(), 1.0));
    return scales;
}

// How far to move each parameter for a difference: far enough for the rounding of solvers in single precision, and
// towards softer cloths where there is room, because explicit steps blow up with stiffer ones.
VectorX widths(const ClothParameters& parameters, const VectorX& scales) {
    VectorX fractions(parameter_count);
    fractions << -0.02, -0.02, -0.02, 0.1, 0.1, 0.1, 0.05, 0.01, 0.01, 0.01;
    VectorX result = scales.cwiseProduct(fractions);
    for (size_t i = 0; i < 3; ++i) {
        const auto k = static_cast<long>(i), c = static_cast<long>(i + 3);
        if (parameters.stiffness[i] < -result(k)) result(k) *= -1;
        if (parameters.damping[i] > result(c)) result(c) *= -1;
    }
    return result;
}

// Variance of a mode's amplitude at the start by noise; its inverse, times that of the noise, holds it back.
VectorX mode_ridges(const StartModes& modes, const FitSettings& settings, double dt, int steps_per_frame) {
    const int reach = std::max(settings.reach, 1);
    const TimeKernel now = local_polynomial(reach, settings.degree, 0);
    const TimeKernel change = difference(now, local_polynomial(reach, settings.degree, -1.0 / steps_per_frame));
    const double looser = 4 * std::max(1.0, settings.start_misfit * settings.start_misfit);
    VectorX ridges(modes.count());
    for (int m = 0; m < modes.count(); ++m) {
        const double gain = modes.is_velocity(m) ? change.noise_gain() / (dt * dt) : now.noise_gain();
        ridges(m) = modes.squared_norm(m) / (looser * gain);
    }
    return ridges;
}

// Levenberg and Marquardt's method.
class TrajectoryFit {
public:
    TrajectoryFit(const KnownCloth& cloth, const MotionRecording& recording, long first, SpringLaw law,
                  const FitSettings& settings)
        : cloth_(cloth),
          frames_(recording.count() - 1 - first),
          duration_(recording.frame_time * static_cast<double>(frames_)),
          law_(law),
          law_map_(law_matrix(law)),
          settings_(settings),
          modes_(cloth.model, settings.known_start ? 0 : settings.modes),
          ridges_(mode_ridges(modes_, settings, recording.frame_time / cloth.steps_per_frame, cloth.steps_per_frame)),
          runs_(cloth, recording, first, frames_, modes_) {}

    FitResult run(const physics::ClothState& start, const ClothParameters& guess) {
        at_ = {law_map_ * (law_map_.transpose() * law_map_).ldlt().solve(law_map_.transpose() * to_vector(guess)),
               VectorX::Zero(modes_.count()), start, 0};
        at_.squares = runs_.squares(to_parameters(at_.parameters), at_.start);
        if (!std::isfinite(at_.squares))
            throw Error("the first values make a simulation that leaves the finite numbers");
        result_.frames = frames_;
        while (result_.iterations < settings_.max_iterations && !result_.converged && !result_.stopped) {
            iterate();
            ++result_.iterations;
            renew_responses_once();
        }
        result_.parameters = to_parameters(at_.parameters);
        result_.start = at_.start;
        result_.distance = std::sqrt(at_.squares / (3 * static_cast<double>(runs_.groups()) * runs_.free_count()));
        return result_;
    }

private:
    struct Point {
        VectorX parameters;  // 10
        VectorX amplitudes;  // of the modes
        physics::ClothState start;
        double squares = 0;
    };

    bool report_progress() {
        ++done_;
        if (settings_.on_progress)
            result_.stopped = !settings_.on_progress({done_, runs_.groups() * (settings_.max_iterations + 1)});
        return !result_.stopped;
    }

    void iterate() {
        const ClothParameters parameters = to_parameters(at_.parameters);
        const VectorX scales = parameter_scales(cloth_, parameters, duration_);
        const auto on_group = [this] { return report_progress(); };
        if (age_ == 0) {
            // far enough for the rounding of solvers that work in single precision
            const double move = 0.02 * cloth_.model.springs.rest_lengths.minCoeff();
            responses_ = runs_.respond(parameters, at_.start, move, 4 * move / duration_, on_group);
        }
        if (result_.stopped) return;
        const FitEquations equations =
            runs_.linearise(parameters, at_.start, widths(parameters, scales), responses_, on_group);
        if (result_.stopped) return;
        Unknowns unknowns(law_map_, scales, ridges_);
        const double variance = equations.squares / equations.count;
        unknowns.hold_parameters(variance / 100);  // to ten times their scale: hardly
        VectorX offset = VectorX::Zero(unknowns.parameters() + modes_.count());
        offset.tail(modes_.count()) = at_.amplitudes;
        result_.covariance = covariance(equations, unknowns, solve(equations, unknowns, offset, 0).inverse, variance);
        if (law_ == SpringLaw::Young) {
            const KindsDiffer differ = difference_of_kinds(equations, scales, ridges_, at_.amplitudes, variance);
            result_.kinds_differ = differ.chi_squared;
            result_.kinds_explain = differ.explained;
            result_.kinds_change = differ.change;
        }
        step(equations, unknowns, offset, scales);
    }

    // The first step that brings the simulation nearer, with ever more damping. Where none does, this is the solution.
    void step(const FitEquations& equations, const Unknowns& unknowns, const VectorX& offset, const VectorX& scales) {
        constexpr double longest = 0.7;  // scales of a parameter
        for (int attempt = 0; attempt < 8; ++attempt) {
            VectorX change = solve(equations, unknowns, offset, damping_).step;
            const double largest = change.head(unknowns.parameters()).cwiseAbs().maxCoeff();
            if (largest > longest) change *= longest / largest;
            const Point next = moved(unknowns.map() * change);
            if (next.squares < at_.squares) {
                result_.converged = is_small(next.parameters - at_.parameters, scales);
                at_ = next;
                damping_ = std::max(damping_ / 10, 1e-9);
                return;
            }
            damping_ *= 10;
        }
        result_.converged = true;
    }

    Point moved(const VectorX& change) const {
        Point to = at_;
        to.parameters += change.head(parameter_count);
        to.parameters.head<7>() = to.parameters.head<7>().cwiseMax(0);
        to.amplitudes += change.tail(modes_.count());
        for (int m = 0; m < modes_.count(); ++m) modes_.add(m, change(parameter_count + m), to.start);
        to.squares = runs_.squares(to_parameters(to.parameters), to.start) +
                     to.amplitudes.dot(ridges_.cwiseProduct(to.amplitudes));
        return to;
    }

    // Beside the error bars, or beside the values.
    bool is_small(const VectorX& change, const VectorX& scales) const {
        const VectorX bars = result_.covariance.diagonal().cwiseMax(0).cwiseSqrt();
        return (change.array().abs() < (0.01 * bars).cwiseMax(1e-6 * scales).array()).all();
    }

    // What the modes do was taken at the first values; where those were far off it is taken anew before the end.
    void renew_responses_once() {
        ++age_;
        if (!result_.converged || age_ <= 2 || renewed_ || modes_.count() == 0) return;
        renewed_ = true;
        result_.converged = false;
        age_ = 0;
        damping_ = 1e-3;
    }

    const KnownCloth& cloth_;
    long frames_;
    double duration_;  // [s]
    SpringLaw law_;
    Eigen::MatrixXd law_map_;
    const FitSettings& settings_;
    StartModes modes_;
    VectorX ridges_;
    TrajectoryRuns runs_;
    FitResult result_;
    Point at_;
    ModeResponses responses_;
    double damping_ = 1e-3;
    int age_ = 0;  // iterations since the responses were taken
    bool renewed_ = false;
    long done_ = 0;  // groups of frames
};

}  // namespace

double squared_distance(const KnownCloth& cloth, const MotionRecording& recording, long first,
                        const physics::ClothState& start, const ClothParameters& parameters) {
    const StartModes none(cloth.model, 0);
    return TrajectoryRuns(cloth, recording, first, recording.count() - 1 - first, none).squares(parameters, start);
}

FitResult fit_trajectory(const KnownCloth& cloth, const MotionRecording& recording, long first,
                         const physics::ClothState& start, SpringLaw law, const ClothParameters& guess,
                         const FitSettings& settings) {
    if (recording.count() - 1 - first < 2)
        throw Error("{} frames are too few to compare a simulation with", recording.count() - 1 - first);
    return TrajectoryFit(cloth, recording, first, law, settings).run(start, guess);
}

}  // namespace tulle::methods
