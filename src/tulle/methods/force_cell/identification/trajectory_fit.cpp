// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/trajectory_fit.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/identification/trajectory_runs.h"
#include "tulle/physics/solvers/solver.h"

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

// How the unknowns of a law and the modes of the start stand for all of the linearisation's.
class Unknowns {
public:
    Unknowns(const Eigen::MatrixXd& law, const VectorX& scales, const VectorX& mode_ridge) : parameters_(law.cols()) {
        const long modes = mode_ridge.size();
        map_ = Eigen::MatrixXd::Zero(parameter_count + modes, parameters_ + modes);
        // each free parameter in units of the largest scale among those it stands for
        for (long i = 0; i < parameters_; ++i)
            map_.col(i).head(parameter_count) = law.col(i) * law.col(i).cwiseProduct(scales).maxCoeff();
        for (long i = 0; i < modes; ++i) map_(parameter_count + i, parameters_ + i) = 1;
        ridge_ = VectorX::Zero(parameters_ + modes);
        ridge_.tail(modes) = mode_ridge;
    }

    long parameters() const { return parameters_; }
    const Eigen::MatrixXd& map() const { return map_; }
    const VectorX& ridge() const { return ridge_; }
    VectorX& ridge() { return ridge_; }

private:
    long parameters_;
    Eigen::MatrixXd map_;
    VectorX ridge_;
};

struct Solution {
    Eigen::MatrixXd inverse;  // of the normal matrix with its ridge
    VectorX step;             // of the unknowns
};

Solution solve(const FitEquations& equations, const Unknowns& unknowns, const VectorX& offset, double damping) {
    Eigen::MatrixXd matrix = unknowns.map().transpose() * equations.matrix * unknowns.map();
    matrix.diagonal() += unknowns.ridge();
    matrix.diagonal().head(unknowns.parameters()) *= 1 + damping;
    const VectorX right = unknowns.map().transpose() * equations.right - unknowns.ridge().cwiseProduct(offset);
    // in units of the diagonal, for the sake of rounding
    const VectorX unit = matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd scaled = unit.asDiagonal() * matrix * unit.asDiagonal();
    scaled.diagonal().array() += 1e-13;
    const Eigen::MatrixXd inverse = unit.asDiagonal() *
                                    scaled.ldlt().solve(Eigen::MatrixXd::Identity(scaled.rows(), scaled.cols())) *
                                    unit.asDiagonal();
    return {inverse, inverse * right};
}

// The larger of two covariances of an estimate: that of white noise, and that which the blocks of the cloth show, whose
// residuals may hang together in time and in space.
Eigen::MatrixXd covariance(const FitEquations& equations, const Unknowns& unknowns, const Eigen::MatrixXd& inverse,
                           double variance) {
    const long p = unknowns.parameters();
    const Eigen::MatrixXd white = variance * inverse.topLeftCorner(p, p);
    const Eigen::MatrixXd influences = (inverse * unknowns.map().transpose() * equations.scores).topRows(p);
    const auto blocks = static_cast<double>(influences.cols());
    const Eigen::MatrixXd seen = influences * influences.transpose() * (blocks / std::max(blocks - 1, 1.0));
    VectorX factors = VectorX::Ones(p);
    for (long i = 0; i < p; ++i)
        if (white(i, i) > 0) factors(i) = std::sqrt(std::max(1.0, seen(i, i) / white(i, i)));
    const Eigen::MatrixXd both = factors.asDiagonal() * white * factors.asDiagonal();
    const Eigen::MatrixXd map = unknowns.map().topLeftCorner(parameter_count, p);
    return map * both * map.transpose();
}

struct KindsDiffer {
    double chi_squared;  // of the contrasts between the kinds of springs
    double change;       // largest of a parameter's contrasts, relative to its scale
    double explained;    // part of the squares that a step towards different kinds would take away
};

KindsDiffer difference_of_kinds(const FitEquations& equations, const VectorX& scales, const VectorX& mode_ridge,
                                const VectorX& mode_offset, double variance) {
    Unknowns unknowns(law_matrix(SpringLaw::ByKind), scales, mode_ridge);
    VectorX offset = VectorX::Zero(parameter_count + mode_offset.size());
    offset.tail(mode_offset.size()) = mode_offset;
    const Solution solution = solve(equations, unknowns, offset, 0);
    const Eigen::MatrixXd spread = covariance(equations, unknowns, solution.inverse, variance);
    const VectorX step =
        unknowns.map().topLeftCorner(parameter_count, parameter_count) * solution.step.head(parameter_count);
    Eigen::MatrixXd contrasts = Eigen::MatrixXd::Zero(4, parameter_count);
    for (int i = 0; i < 2; ++i) {
        contrasts(i, 0) = contrasts(2 + i, 3) = -1;
        contrasts(i, 1 + i) = contrasts(2 + i, 4 + i) = 1;
    }
    const VectorX differences = contrasts * step;
    const Eigen::MatrixXd expected = contrasts * spread * contrasts.transpose();
    const VectorX unit = expected.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = unit.asDiagonal() * expected * unit.asDiagonal();
    const VectorX normed = unit.cwiseProduct(differences);
    const double taken =
        solution.step.dot(unknowns.map().transpose() * equations.right - unknowns.ridge().cwiseProduct(offset));
    const VectorX sizes = (VectorX(4) << scales(0), scales(0), scales(3), scales(3)).finished();
    return {normed.dot(scaled.ldlt().solve(normed)), differences.cwiseQuotient(sizes).cwiseAbs().maxCoeff(),
            taken / std::max(equations.squares, 1e-300)};
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

struct Point {
    VectorX parameters;  // 10
    VectorX amplitudes;  // of the modes
    physics::ClothState start;
    double squares = 0;
};

}  // namespace

double squared_distance(const KnownCloth& cloth, const MotionRecording& recording, long first,
                        const physics::ClothState& start, const ClothParameters& parameters) {
    const StartModes none(cloth.model, 0);
    return TrajectoryRuns(cloth, recording, first, recording.count() - 1 - first, none).squares(parameters, start);
}

Remainder remainder(const KnownCloth& cloth, const MotionRecording& recording, long first, long frames,
                    const physics::ClothState& start, const ClothParameters& parameters) {
    const physics::ClothModel model = model_with(cloth, spring_kinds(cloth.model), parameters);
    const physics::World world = world_with(cloth, parameters);
    const auto stepper = physics::make_solver(model, world, cloth.solver.value());
    Remainder result{{{}, recording.time(first), recording.frame_time}, {start}};
    for (long f = 0; f <= frames; ++f) {
        if (f > 0) {
            result.simulated.push_back(result.simulated.back());
            stepper->advance(result.simulated.back(), recording.frame_time / cloth.steps_per_frame,
                             cloth.steps_per_frame);
        }
        result.left.frames.push_back(recording.frames[static_cast<size_t>(first + f)] -
                                     result.simulated.back().positions);
    }
    return result;
}

FitResult fit_trajectory(const KnownCloth& cloth, const MotionRecording& recording, long first,
                         const physics::ClothState& start, SpringLaw law, const ClothParameters& guess,
                         const FitSettings& settings) {
    const long frames = recording.count() - 1 - first;
    if (frames < 2) throw Error("{} frames are too few to compare a simulation with", frames);
    const double duration = recording.frame_time * static_cast<double>(frames);
    const double dt = recording.frame_time / cloth.steps_per_frame;
    const double spacing = cloth.model.springs.rest_lengths.minCoeff();
    const StartModes modes(cloth.model, settings.known_start ? 0 : settings.modes);
    const TrajectoryRuns runs(cloth, recording, first, frames, modes);
    const VectorX ridges = mode_ridges(modes, settings, dt, cloth.steps_per_frame);
    const Eigen::MatrixXd law_map = law_matrix(law);
    // Differences are wide enough for the rounding of solvers that work in single precision.
    const double move = 0.02 * spacing, push = 0.08 * spacing / duration;

    const auto moved = [&](const Point& from, const VectorX& step, const Unknowns& unknowns) {
        Point to = from;
        const VectorX change = unknowns.map() * step;
        to.parameters += change.head(parameter_count);
        to.parameters.head<7>() = to.parameters.head<7>().cwiseMax(0);
        to.amplitudes += change.tail(modes.count());
        for (int m = 0; m < modes.count(); ++m) modes.add(m, change(parameter_count + m), to.start);
        to.squares = runs.squares(to_parameters(to.parameters), to.start) +
                     to.amplitudes.dot(ridges.cwiseProduct(to.amplitudes));
        return to;
    };

    FitResult result;
    result.frames = frames;
    long done = 0;
    const auto on_group = [&] {
        ++done;
        if (!settings.on_progress) return true;
        result.stopped = !settings.on_progress({done, runs.groups() * (settings.max_iterations + 1)});
        return !result.stopped;
    };
    Point at{law_map * (law_map.transpose() * law_map).ldlt().solve(law_map.transpose() * to_vector(guess)),
             VectorX::Zero(modes.count()), start, 0};
    at.squares = runs.squares(to_parameters(at.parameters), at.start);
    if (!std::isfinite(at.squares)) throw Error("the first values make a simulation that leaves the finite numbers");
    double damping = 1e-3;
    ModeResponses responses;
    bool refreshed = false;
    int fresh = 0;  // iterations since the responses were taken
    for (result.iterations = 0; result.iterations < settings.max_iterations && !result.converged; ++result.iterations) {
        const VectorX scales = parameter_scales(cloth, to_parameters(at.parameters), duration);
        Unknowns unknowns(law_map, scales, ridges);
        if (fresh == 0) responses = runs.respond(to_parameters(at.parameters), at.start, move, push, on_group);
        if (result.stopped) return result;
        const FitEquations equations = runs.linearise(
            to_parameters(at.parameters), at.start, widths(to_parameters(at.parameters), scales), responses, on_group);
        if (result.stopped) return result;
        const double variance = equations.squares / equations.count;
        unknowns.ridge().head(unknowns.parameters()).setConstant(variance / 100);  // ten times its scale: hardly held
        VectorX offset = VectorX::Zero(unknowns.parameters() + modes.count());
        offset.tail(modes.count()) = at.amplitudes;
        const Solution undamped = solve(equations, unknowns, offset, 0);
        result.covariance = covariance(equations, unknowns, undamped.inverse, variance);
        if (law == SpringLaw::Young) {
            const KindsDiffer differ = difference_of_kinds(equations, scales, ridges, at.amplitudes, variance);
            result.kinds_differ = differ.chi_squared;
            result.kinds_explain = differ.explained;
            result.kinds_change = differ.change;
        }
        bool better = false;
        for (int attempt = 0; attempt < 8 && !better; ++attempt) {
            VectorX step = solve(equations, unknowns, offset, damping).step;
            const double largest = step.head(unknowns.parameters()).cwiseAbs().maxCoeff();
            if (largest > 0.7) step *= 0.7 / largest;
            const Point next = moved(at, step, unknowns);
            better = next.squares < at.squares;
            if (better) {
                // stop where a step is small beside the error bars, or beside the values
                const VectorX change = next.parameters - at.parameters;
                const VectorX bars = result.covariance.diagonal().cwiseMax(0).cwiseSqrt();
                result.converged =
                    ((change.array().abs() < 0.01 * bars.array()) || (change.array().abs() < 1e-6 * scales.array()))
                        .all();
                at = next;
                damping = std::max(damping / 10, 1e-9);
            } else {
                damping *= 10;
            }
        }
        if (!better) result.converged = true;  // nothing nearer is found along any of the steps
        // What the modes do was taken at the first values; where those were far off it is taken anew.
        ++fresh;
        if (result.converged && fresh > 2 && !refreshed && modes.count() > 0) {
            refreshed = true;
            result.converged = false;
            fresh = 0;
            damping = 1e-3;
        }
    }
    result.parameters = to_parameters(at.parameters);
    result.start = at.start;
    result.distance =
        std::sqrt(at.squares / (3.0 * static_cast<double>(runs.groups()) * static_cast<double>(runs.free_count())));
    return result;
}

}  // namespace tulle::methods
