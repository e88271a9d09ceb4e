// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluation_run.h"

#include "tulle/core/error.h"
#include "tulle/core/frame_cost.h"
#include "tulle/core/median.h"
#include "tulle/core/random.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/families/families.h"
#include "tulle/workflows/record_frames.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tulle::workflows {

namespace {

std::unique_ptr<scene::Simulation> make_simulation(const scene::Scene& scene, const scene::Method& method) {
    try {
        return std::make_unique<scene::Simulation>(scene, method);
    } catch (const Error& error) {
        throw Error("method '{}' cannot run on '{}': {}", method.to_string(), scene.name, error.what());
    }
}

// Velocities are for films coloured by speed, which an evaluation has none of.
io::CacheFrame without_velocities(io::CacheFrame frame) {
    frame.velocities.resize(0, 3);
    return frame;
}

// The smallest value that at least this share of all do not exceed.
double percentile(std::vector<double> values, double share) {
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(values.size()))) - 1;
    std::nth_element(values.begin(), values.begin() + rank, values.end());
    return values[static_cast<size_t>(rank)];
}

// Of this thread [ms].
double cpu_clock() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

}  // namespace

EvaluationRun::EvaluationRun(const scene::Scene& scene, const std::string& method, std::filesystem::path cache)
    : method_(scene::parse_method(method)) {
    simulation_ = make_simulation(scene, method_);
    teacher_ =
        scene::family_of(method_).teacher({simulation_->scene(), simulation_->model(), simulation_->world(), method_});
    figures_.name = method_.to_string();
    figures_.note = simulation_->note();
    figures_.cache = std::move(cache);
}

void EvaluationRun::open_cache() {
    if (figures_.cache.empty()) return;
    io::CacheHeader header = cache_header(*simulation_, name());
    header.has_velocities = false;
    cache_.emplace(figures_.cache, header, io::CacheWriterSettings{.overwrite = true});
    cache_->append(without_velocities(cache_frame(*simulation_, 0)));
}

void EvaluationRun::disturb_start(double noise) {
    physics::ClothState state = simulation_->state();
    const std::vector<bool> pinned = simulation_->model().pinned();
    Random random(simulation_->scene().seed);
    for (long v = 0; v < state.positions.rows(); ++v)
        for (int axis = 0; axis < 3; ++axis) {
            const double shift = random.uniform(-noise, noise);
            if (!pinned[static_cast<size_t>(v)]) state.positions(v, axis) += shift;
        }
    simulation_->resume_from(std::move(state), {});
}

// What has no coarse cloth is measured as if it had the usual one.
void EvaluationRun::measure_motion() {
    measures_.emplace(*simulation_, teacher_ ? teacher_->factor : simulation_->scene().upscaling.factor.value_or(2));
}

void EvaluationRun::force_by_teacher() {
    if (!teacher_) return;
    forcing_.emplace(*teacher_->upscaler, teacher_->fine_vertices);
    forcing_->add(simulation_->state().positions);
}

bool EvaluationRun::advance(long count, const std::function<bool(const std::string& method)>& on_frame) {
    frames_.clear();
    bool goes_on = true;
    for (long i = 0; i < count && goes_on; ++i) {
        if (failure_.empty()) advance_frame();
        goes_on = on_frame(name());
    }
    return goes_on;
}

void EvaluationRun::advance_frame() {
    try {
        const double cpu_before = cpu_clock();
        const Stopwatch watch;
        const physics::StepReport step = simulation_->advance_frame();
        milliseconds_.push_back(watch.milliseconds());
        cpu_milliseconds_ += cpu_clock() - cpu_before;
        passed_milliseconds_ += milliseconds_.back();
        if (ran_out_of_iterations(step)) ++unconverged_;
        const auto inference = step.stages.find("inference");
        if (inference != step.stages.end()) inference_.push_back(inference->second);
    } catch (const physics::Divergence& divergence) {
        failure_ = fmt::format("diverged in frame {}: {}", milliseconds_.size() + 1, divergence.what());
        return;
    }
    frames_.push_back(simulation_->state().positions);
    if (cache_) cache_->append(without_velocities(cache_frame(*simulation_, milliseconds_.back())));
}

bool EvaluationRun::ran_out_of_iterations(const physics::StepReport& step) const {
    const auto solver = simulation_->scene().solvers.find(method_.name);
    if (solver == simulation_->scene().solvers.end()) return false;
    const auto* newton = std::get_if<physics::NewtonSettings>(&solver->second.settings);
    return newton && step.iterations >= newton->max_iterations;
}

void EvaluationRun::measure(const Frames& full, const Frames* converged) {
    if (measures_) measures_->add(frames_, std::span(full).first(frames_.size()));
    for (size_t i = 0; i < frames_.size(); ++i) {
        figures_.curve_to_full.push_back(to_full_.add(frames_[i], full[i]));
        if (converged) figures_.curve_to_converged.push_back(to_converged_.add(frames_[i], (*converged)[i]));
        if (forcing_) forcing_->add(full[i]);
    }
}

MethodFigures EvaluationRun::finish(const EvaluationRun& full) {
    if (cache_) cache_->close(failure_);
    cache_.reset();
    if (!failure_.empty()) return {.name = name(), .note = failure_, .cache = figures_.cache};
    const size_t frames = figures_.curve_to_full.size();
    if (frames == 0) return figures_;
    if (unconverged_ > 0)
        figures_.note =
            fmt::format("{} of {} frames ran out of iterations before they converged", unconverged_, frames);
    add_costs(full);
    figures_.to_full = to_full_.summary();
    if (!figures_.curve_to_converged.empty()) figures_.to_converged = to_converged_.summary();
    if (forcing_) figures_.teacher_forced = forcing_->summary();
    if (measures_) measures_->fill(figures_);
    return figures_;
}

void EvaluationRun::add_costs(const EvaluationRun& full) {
    const FrameCost cost = frame_cost(milliseconds_);
    figures_.ms_per_frame = cost.median;
    figures_.mean_ms_per_frame = cost.mean;
    figures_.p99_ms_per_frame = percentile(milliseconds_, 0.99);
    figures_.ms_simulation = figures_.ms_per_frame;
    figures_.speedup = median(full.milliseconds_) / *figures_.ms_per_frame;
    if (inference_.size() < milliseconds_.size()) return;  // it infers nothing
    std::vector<double> simulation;
    for (size_t i = 0; i < milliseconds_.size(); ++i) simulation.push_back(milliseconds_[i] - inference_[i]);
    figures_.ms_simulation = median(simulation);
    figures_.ms_inference = median(inference_);
}

}  // namespace tulle::workflows
