// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/identification.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/identification/start_state.h"
#include "tulle/physics/solvers/solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::methods {

namespace {

constexpr long least_frames = 12;

void check_input(const KnownCloth& cloth, const MotionRecording& recording, const std::vector<int>& counted) {
    if (recording.count() < least_frames)
        throw Error("the recording has {} frames; at least {} are needed", recording.count(), least_frames);
    for (const Positions& frame : recording.frames)
        if (frame.rows() != cloth.model.vertex_count())
            throw Error("the recording has {} vertices, but the cloth {}", frame.rows(), cloth.model.vertex_count());
    if (!(recording.frame_time > 0)) throw Error("the frames of the recording are not one after the other");
    if (counted.empty()) throw Error("all vertices of the cloth are pinned, so nothing can be learnt from its motion");
}

// The largest root mean square distance of a frame from the first.
double travelled(const MotionRecording& recording, const std::vector<int>& counted) {
    double largest = 0;
    for (const Positions& frame : recording.frames) {
        double sum = 0;
        for (const int v : counted) sum += (frame.row(v) - recording.frames.front().row(v)).squaredNorm();
        largest = std::max(largest, std::sqrt(sum / (3 * static_cast<double>(counted.size()))));
    }
    return largest;
}

// Root mean square elongation of springs in the means of a few frames, relative to that of noise alone.
double stretching(const MotionRecording& recording, const physics::ClothModel& model, double noise) {
    const long together = std::clamp(recording.count() / 8, 1L, 8L);
    const TimeKernel mean{0, VectorX::Constant(together, 1.0 / static_cast<double>(together))};
    double sum = 0, count = 0;
    for (long f = 0; f + together <= recording.count(); f += together) {
        const Positions x = apply(mean, recording, f);
        for (long e = 0; e < model.springs.count(); ++e) {
            const double length = (x.row(model.springs.edges(e, 0)) - x.row(model.springs.edges(e, 1))).norm();
            sum += std::pow(length - model.springs.rest_lengths(e), 2);
        }
        count += static_cast<double>(model.springs.count());
    }
    return std::sqrt(sum / count) / std::max(noise * std::sqrt(2.0 / static_cast<double>(together)), 1e-300);
}

MotionRecording beginning(const MotionRecording& recording, long frames) {
    MotionRecording part = recording;
    part.frames.resize(static_cast<size_t>(std::min(frames, recording.count())));
    return part;
}

// What to try first: what the regressions found, stronger and weaker, with their damping and without, and where they
// found no stiffness one that the step could just take.
std::vector<ClothParameters> candidates(const Regression& regression, const KnownCloth& cloth, double dt) {
    const double length = cloth.stiffness_per_length ? cloth.model.springs.rest_lengths.minCoeff() : 1;
    const double some = 0.01 * cloth.model.masses.mean() / (dt * dt) * length;
    std::vector<ClothParameters> result;
    for (ClothParameters found : {regression.parameters, regression.attenuated}) {
        for (double& stiffness : found.stiffness)
            if (!(stiffness > 0)) stiffness = some;
        for (const double factor : {1.0, 0.5, 2.0, 0.1, 0.02})
            for (const double damping : {1.0, 0.0}) {
                ClothParameters candidate = found;
                for (size_t i = 0; i < 3; ++i) {
                    candidate.stiffness[i] *= factor;
                    candidate.damping[i] *= damping;
                }
                result.push_back(candidate);
            }
    }
    return result;
}

class Identification {
public:
    Identification(KnownCloth cloth, const MotionRecording& recording, const IdentificationSettings& settings)
        : cloth_(std::move(cloth)), recording_(recording), settings_(settings) {}

    IdentificationReport run() {
        const std::vector<int> counted = free_vertices(cloth_.model);
        check_input(cloth_, recording_, counted);
        report_.noise = position_noise(recording_, counted);
        if (travelled(recording_, counted) <= 5 * report_.noise)
            throw Error("the cloth of the recording does not move, so it shows nothing of its material");
        choose_start(counted);
        read_forces();
        fit();
        fill_values();
        return report_;
    }

private:
    void choose_start(const std::vector<int>& counted) {
        const long place = std::min(33L, recording_.count() / 4);
        const FairReach fair = fair_reach(recording_, place, 3, report_.noise, counted);
        report_.reach = fair.reach;
        // Where every step is recorded, two frames give the velocity whatever the motion is.
        misfit_ = fair.reach == 0 && cloth_.steps_per_frame == 1 ? 1 : fair.misfit;
        if (fair.reach == 0 && cloth_.steps_per_frame > 1) {
            // Hardly any noise, but steps between the frames: as exact as a few frames allow.
            report_.reach = 3;
            degree_ = 5;
        }
        report_.first_frame = settings_.start ? 0 : std::max(1, report_.reach);
        constexpr double too_coarse = 100;
        if (fair.reach == 0 && fair.misfit > too_coarse && cloth_.steps_per_frame > 1 && !settings_.start)
            report_.warnings.emplace_back(
                "the frames are too far apart in time to show velocities; record more frames a second, or begin at the "
                "scene's own start");
    }

    Regression regress(Reading reading, SpringLaw law) const {
        return regress_forces(cloth_, recording_, reading,
                              {.law = law, .noise = report_.noise, .reach = report_.reach, .degree = degree_});
    }

    void read_forces() {
        report_.start_residual = regress(Reading::StartOfStep, first_law()).residual;
        report_.end_residual = regress(Reading::EndOfStep, first_law()).residual;
        const bool at_end = report_.end_residual < report_.start_residual;
        report_.reading = at_end ? Reading::EndOfStep : Reading::StartOfStep;
        if (!cloth_.solver && at_end) cloth_.solver = physics::NewtonSettings{};
        if (!cloth_.solver) cloth_.solver = physics::MassSpringSettings{};
        is_explicit_ = std::holds_alternative<physics::MassSpringSettings>(*cloth_.solver);
        report_.solver = *cloth_.solver;
    }

    SpringLaw first_law() const {
        if (settings_.law) return *settings_.law;
        return cloth_.stiffness_per_length ? SpringLaw::Young : SpringLaw::ByKind;
    }

    void fit() {
        const physics::ClothState start = settings_.start ? *settings_.start
                                                          : read_start(cloth_, recording_, report_.first_frame,
                                                                       report_.reach, degree_, report_.noise);
        FitSettings settings{.noise = report_.noise,
                             .reach = report_.reach,
                             .degree = degree_,
                             .start_misfit = misfit_,
                             .known_start = settings_.start.has_value(),
                             .modes = is_explicit_ ? settings_.start_modes : std::min(settings_.start_modes, 3),
                             .on_progress = settings_.on_progress};
        SpringLaw law = first_law();
        const ClothParameters guess = stable(rough_fit(start, law, settings), start);
        FitResult result = fit_trajectory(cloth_, recording_, report_.first_frame, start, law, guess, settings);
        // Twice at most from a better start: the second time gains something only where much was left by the first.
        for (int i = 0; i < 3 && !result.stopped; ++i) {
            const bool is_last = i == 2 || settings_.start || result.distance < 1.05 * report_.noise;
            if (!settings_.law && law == SpringLaw::Young && speaks_for_kinds(result, is_last)) {
                law = SpringLaw::ByKind;
                // what the start was moved to under the wrong law is worth nothing
                result = i == 0 ? fit_trajectory(cloth_, recording_, report_.first_frame, start, law,
                                                 stable(rough_fit(start, law, settings), start), settings)
                                : fit_trajectory(cloth_, recording_, report_.first_frame, result.start, law,
                                                 result.parameters, settings);
            }
            if (is_last || result.stopped) break;
            result = fit_from_better_start(result, law, settings);
        }
        report_.law = law;
        take(result);
    }

    // A short beginning first: over a long time even a slightly wrong cloth is out of step with the recording.
    ClothParameters rough_fit(const physics::ClothState& start, SpringLaw law, FitSettings settings) const {
        const long frames = recording_.count() - 1 - report_.first_frame;
        const MotionRecording part = beginning(recording_, report_.first_frame + 1 + std::max(6L, frames / 4));
        const Regression first = regress(is_explicit_ ? Reading::StartOfStep : Reading::EndOfStep, law);
        std::optional<ClothParameters> best;
        double least = std::numeric_limits<double>::infinity();
        for (const ClothParameters& candidate :
             candidates(first, cloth_, recording_.frame_time / cloth_.steps_per_frame)) {
            const double squares = squared_distance(cloth_, part, report_.first_frame, start, candidate);
            if (squares < least) best = candidate;
            least = std::min(squares, least);
        }
        if (!best) throw Error("no cloth was found that stays finite; are the steps per frame those of the recording?");
        settings.modes = std::min(settings.modes, 2);
        settings.max_iterations = 6;
        return fit_trajectory(cloth_, part, report_.first_frame, start, law, *best, settings).parameters;
    }

    // A large part of what is left tells at once; a small one is believed only from the best start, because errors of
    // the start can look like it.
    bool speaks_for_kinds(const FitResult& result, bool has_best_start) {
        report_.kinds_differ = result.kinds_differ;
        constexpr double unlikely = 23.5;  // χ² of 4 degrees of freedom exceeds it once in 10,000 times
        constexpr double large_part = 0.2, matters = 0.005;
        return result.kinds_change > matters &&
               (result.kinds_explain > large_part || (has_best_start && result.kinds_differ > unlikely));
    }

    FitResult fit_from_better_start(const FitResult& before, SpringLaw law, FitSettings settings) {
        const auto better = better_start(cloth_, recording_, report_.first_frame, before, report_.noise);
        if (!better) return before;
        report_.first_frame = better->frame;
        report_.reach = settings.reach = better->reach;
        settings.degree = better->degree;
        settings.start_misfit = 1;
        return fit_trajectory(cloth_, recording_, report_.first_frame, better->state, law, before.parameters, settings);
    }

    // A short beginning says little about damping; too much of it makes explicit steps blow up later. Returns what
    // stays finite to the end, also if it were somewhat stiffer.
    ClothParameters stable(const ClothParameters& parameters, const physics::ClothState& start) const {
        for (const double factor : {1.0, 0.5, 0.25, 0.1, 0.0}) {
            ClothParameters weaker = parameters, margin = parameters;
            for (size_t i = 0; i < 3; ++i) {
                weaker.damping[i] *= factor;
                margin.damping[i] = 1.3 * weaker.damping[i];
                margin.stiffness[i] *= 1.1;
            }
            if (std::isfinite(squared_distance(cloth_, recording_, report_.first_frame, start, margin))) return weaker;
        }
        throw Error("no cloth was found that stays finite; are the steps per frame those of the recording?");
    }

    void take(const FitResult& result) {
        report_.parameters = result.parameters;
        covariance_ = result.covariance;
        report_.distance = result.distance;
        report_.frames = result.frames;
        report_.iterations = result.iterations;
        report_.converged = result.converged;
        report_.stopped = result.stopped;
        report_.stiffness_per_length = cloth_.stiffness_per_length;
        warn_of_misfit(result);
        if (!result.converged && !result.stopped)
            report_.warnings.emplace_back("the fit was still moving when it was stopped; its values may be off");
    }

    // What is left should be the noise: neither more, nor less.
    void warn_of_misfit(const FitResult& result) {
        const double spacing = cloth_.model.springs.rest_lengths.minCoeff();
        if (result.stopped) return;
        if (!settings_.start && cloth_.steps_per_frame > 1 && result.distance < 0.7 * report_.noise)
            report_.warnings.emplace_back(
                "the frames are so far apart that motion between them looks like noise, so the velocities to start "
                "with "
                "are wrong and the errors too small; record more frames a second, or begin at the scene's own start");
        if (result.distance > std::max(3 * report_.noise, 1e-4 * spacing))
            report_.warnings.emplace_back(
                "the simulation stays farther from the recording than noise explains, so something that the scene says "
                "is not as it was, and the values make up for it");
    }

    void fill_values() {
        if (report_.stopped) return;
        // Noise is at most what the fit left, also where the frames are too far apart to tell it from motion.
        report_.stretching = stretching(recording_, cloth_.model, std::min(report_.noise, report_.distance));
        const VectorX values = to_vector(report_.parameters);
        const double gravity = std::max(report_.parameters.gravity.norm(), 1.0);
        const double stiffest = values.head<3>().maxCoeff();
        const double length = cloth_.stiffness_per_length ? cloth_.model.springs.rest_lengths.minCoeff() : 1;
        const double critical = std::sqrt(stiffest / length * cloth_.model.masses.mean());
        for (int i = 0; i < parameter_count; ++i) {
            const double error = std::sqrt(std::max(covariance_(i, i), 0.0));
            // What would matter: a stiffness beside the largest, a damping beside the critical one of a spring.
            const double matters = i < 3    ? std::max(values(i), 0.01 * stiffest)
                                   : i < 6  ? std::max(values(i), 0.01 * critical)
                                   : i == 6 ? std::max(values(i), 0.1)
                                            : gravity;
            const bool stretches = i >= 6 || report_.stretching > 1.3;
            report_.values[static_cast<size_t>(i)] = {values(i), error, stretches && error < 0.5 * matters};
        }
        if (report_.stretching <= 1.3)
            report_.warnings.emplace_back("no spring changes its length by more than noise explains");
    }

    KnownCloth cloth_;
    const MotionRecording& recording_;
    const IdentificationSettings& settings_;
    IdentificationReport report_;
    Eigen::MatrixXd covariance_;
    double misfit_ = 1;
    int degree_ = 3;           // of the polynomials in time
    bool is_explicit_ = true;  // the others cost too much for as many modes, and see less noise in their longer steps
};

}  // namespace

IdentificationReport identify(const KnownCloth& cloth, const MotionRecording& recording,
                              const IdentificationSettings& settings) {
    return Identification(with_all_springs(cloth), recording, settings).run();
}

}  // namespace tulle::methods
