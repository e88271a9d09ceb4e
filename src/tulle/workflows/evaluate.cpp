// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/workflows/evaluation_run.h"

#include <algorithm>

namespace tulle::workflows {

namespace {

namespace fs = std::filesystem;

constexpr long frames_per_turn = 10;

// All runs; a method that is a reference itself is not run twice.
class Evaluation {
public:
    Evaluation(const scene::Scene& scene, const EvaluateSettings& settings) : settings_(settings) {
        if (settings.methods.empty()) throw Error("name at least one method to evaluate, such as admm:5");
        const std::string truth = scene::parse_method(settings.truth).to_string();
        full_ = add(scene, truth);
        if (settings.converged) converged_ = find_or_add(scene, "newton");
        for (const std::string& method : settings.methods) {
            methods_.push_back(find_or_add(scene, scene::parse_method(method).to_string()));
            methods_.back()->force_by_teacher();
        }
        chaos_ = runs_.emplace_back(std::make_unique<EvaluationRun>(floor_scene(scene), truth)).get();
        if (!settings.floor_start) chaos_->disturb_start(chaos_noise);
        total_ = settings.frames > 0 ? settings.frames : scene.time.frames;
        if (!settings.folder.empty()) fs::create_directories(settings.folder);
        if (settings.report) prepare_report(settings.folder, *settings.report);
        for (const auto& run : runs_) run->open_cache();
    }

    // False if it was stopped.
    bool run() {
        for (long done = 0; done < total_; done += frames_per_turn)
            if (!take_turns(std::min(frames_per_turn, total_ - done))) return false;
        return true;
    }

    EvaluateReport report(bool stopped) {
        const scene::Simulation& simulation = full_->simulation();
        EvaluateReport report{.scene = simulation.scene().name,
                              .particles = simulation.model().vertex_count(),
                              .frames = total_,
                              .threads = thread_count(),
                              .frame_time = simulation.scene().time.frame_time(),
                              .stopped = stopped};
        report.full = full_->finish(*full_);
        if (converged_) report.converged = converged_->finish(*full_);
        report.cpu_share = full_->cpu_share();
        for (EvaluationRun* method : methods_) {
            report.methods.push_back(method->finish(*full_));
            report.cpu_share = std::min(report.cpu_share, method->cpu_share());
        }
        const MethodFigures chaos = chaos_->finish(*full_);
        report.chaos_curve = chaos.curve_to_full;
        if (chaos.to_full) report.chaos_floor = chaos.to_full->mean;
        return report;
    }

private:
    EvaluationRun* find_or_add(const scene::Scene& scene, const std::string& method) {
        const auto same =
            std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->name() == method; });
        return same == runs_.end() ? add(scene, method) : same->get();
    }

    EvaluationRun* add(const scene::Scene& scene, const std::string& method) {
        std::string file = method + ".h5";
        std::replace(file.begin(), file.end(), ':', '-');
        const fs::path cache = settings_.folder.empty() ? fs::path() : settings_.folder / file;
        EvaluationRun* run = runs_.emplace_back(std::make_unique<EvaluationRun>(scene, method, cache)).get();
        if (settings_.motion) run->measure_motion();
        return run;
    }

    scene::Scene floor_scene(scene::Scene scene) const {
        if (settings_.floor_start) scene.cloth.start = *settings_.floor_start;
        return scene;
    }

    bool take_turns(long count) {
        const long total = total_ * static_cast<long>(runs_.size());
        const auto on_frame = [&](const std::string& method) {
            ++done_;
            return !settings_.on_frame || settings_.on_frame({method, done_, total});
        };
        for (const auto& run : runs_)
            if (!run->advance(count, on_frame)) return false;
        for (const EvaluationRun* reference : {full_, converged_})
            if (reference && !reference->failure().empty())
                throw Error("there is nothing to compare with: {} {}", reference->name(), reference->failure());
        for (const auto& run : runs_) run->measure(full_->frames(), converged_ ? &converged_->frames() : nullptr);
        return true;
    }

    const EvaluateSettings& settings_;
    std::vector<std::unique_ptr<EvaluationRun>> runs_;
    EvaluationRun* full_ = nullptr;
    EvaluationRun* converged_ = nullptr;  // null: not asked for
    EvaluationRun* chaos_ = nullptr;
    std::vector<EvaluationRun*> methods_;
    long total_ = 0, done_ = 0;
};

// The judge is as strict as the report says, whatever the scene asks of it.
scene::Scene with_strict_newton(scene::Scene scene) {
    auto& settings = std::get<physics::NewtonSettings>(scene.solvers.at("newton").settings);
    settings.tolerance = std::min(settings.tolerance, converged_tolerance);
    return scene;
}

// A projection belongs to the methods that name it; the truth has none. Its numbers stay.
scene::Scene without_projection(scene::Scene scene) {
    scene.projection.is_attached = false;
    return scene;
}

}  // namespace

EvaluateReport evaluate(const scene::Scene& scene, const EvaluateSettings& settings) {
    Evaluation evaluation(with_strict_newton(without_projection(scene)), settings);
    const bool whole = evaluation.run();
    return evaluation.report(!whole);
}

}  // namespace tulle::workflows
