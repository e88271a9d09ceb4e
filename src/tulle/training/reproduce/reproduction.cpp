// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/reproduction.h"

#include "tulle/core/error.h"
#include "tulle/scene/simulation.h"
#include "tulle/scene/sweep.h"
#include "tulle/workflows/generate.h"

#include <algorithm>
#include <cctype>

namespace tulle::training {

namespace fs = std::filesystem;

void Reproduction::progress(const std::string& what, double fraction) const {
    if (settings_.on_progress && !settings_.on_progress(what, fraction)) throw Error("stopped");
}

const datasets::TrainingData& Reproduction::data(const std::string& scene) {
    if (const auto known = data_.find(scene); known != data_.end()) return known->second;
    scene::Sweep sweep = scene::load_sweep(settings_.project / "models" / (scene + ".sweep.toml"));
    fs::path folder = settings_.project / "data" / scene;
    if (quick()) {
        sweep.sequences = 3;
        sweep.frames = 8;
        folder = settings_.output / "data" / scene;
    }
    const fs::path scene_file = settings_.project / "scenes" / (scene + ".toml");
    const auto on_frame = [&](long done, long total) {
        progress("generating " + scene, static_cast<double>(done) / static_cast<double>(total));
        return true;
    };
    const auto report = workflows::generate(
        sweep, {.scene = scene_file, .folder = folder, .overrides = {}, .jobs = 0, .on_frame = on_frame});
    if (report.stopped) throw Error("stopped");
    datasets::TrainingData loaded = load_data({{.folder = folder, .scene = {}, .sweep = {}}},
                                              scene::Examples::Sequences, TrainerSettings{}.seed, {});
    for (datasets::Sequence& sequence : loaded.sequences) sequence.scene_folder = scene_file.parent_path();
    return data_.emplace(scene, std::move(loaded)).first->second;
}

TrialResult Reproduction::trial(const std::string& what, const datasets::TrainingData& data, const Trial& trial) {
    std::string name = what;
    std::replace_if(
        name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '.'; }, '-');
    const fs::path file = (quick() ? output() : project()) / "data" / "reproduce" / name;
    return keep_trial(file, data, trial, [&](double fraction) {
        progress(what, fraction);
        return true;
    });
}

workflows::EvaluateReport Reproduction::evaluate(const std::string& scene, const std::vector<std::string>& methods,
                                                 int frame_count, const scene::Overrides& overrides,
                                                 const std::string& truth) {
    const scene::Scene loaded = scene::load_scene(settings_.project / "scenes" / (scene + ".toml"), overrides);
    workflows::EvaluateSettings run{.methods = {}, .truth = truth, .frames = frames(frame_count), .converged = false};
    run.motion = false;
    run.folder = settings_.output / "caches";
    for (const std::string& name : methods) {
        try {
            const scene::Simulation can_run(loaded, scene::parse_method(name));
            run.methods.push_back(name);
        } catch (const Error& error) {
            progress(std::string("without ") + name + ": " + error.what(), 0);
        }
    }
    fs::create_directories(run.folder);
    run.on_frame = [&](const workflows::EvaluateProgress& p) {
        progress("evaluating " + scene, static_cast<double>(p.done) / static_cast<double>(p.total));
        return true;
    };
    return workflows::evaluate(loaded, run);
}

std::string Reproduction::picture(const workflows::EvaluateReport& report, const std::vector<std::string>& methods,
                                  const std::string& name) const {
    std::vector<Still> stills;
    for (const std::string& method : methods)
        if (method == report.full.name || has(report, method)) stills.push_back(still_of(report, method, method));
    return picture(stills, name);
}

std::string Reproduction::picture(const std::vector<Still>& stills, const std::string& name) const {
    const PanelSize size = quick() ? PanelSize{.width = 320, .height = 260} : PanelSize{};
    progress("drawing " + name, 0);
    draw_stills(stills, size, quick(), output() / "caches", output() / (name + ".png"));
    return name + ".png";
}

const std::vector<Paper>& papers() {
    static const std::vector<Paper> table = {{"hierarchy", reproduce_hierarchy},
                                             {"miniature", reproduce_miniature},
                                             {"force-cell", reproduce_force_cell},
                                             {"coercing", reproduce_coercing}};
    return table;
}

bool has(const workflows::EvaluateReport& report, const std::string& method) {
    return std::any_of(report.methods.begin(), report.methods.end(), [&](const auto& m) { return m.name == method; });
}

const workflows::MethodFigures& figures(const workflows::EvaluateReport& report, const std::string& method) {
    if (method == report.full.name) return report.full;
    for (const workflows::MethodFigures& found : report.methods)
        if (found.name == method) return found;
    throw Error("{} was not evaluated on {}", method, report.scene);
}

Still still_of(const workflows::EvaluateReport& report, const std::string& method, const std::string& title, int step) {
    return {.cache = figures(report, method).cache, .title = title, .step = step};
}

std::string error_text(const workflows::EvaluateReport& report, const std::string& method) {
    return has(report, method) && figures(report, method).to_full ? scientific(figures(report, method).to_full->mean)
                                                                  : "–";
}

std::string teacher_text(const workflows::EvaluateReport& report, const std::string& method) {
    return has(report, method) && figures(report, method).teacher_forced
               ? scientific(figures(report, method).teacher_forced->mean)
               : "–";
}

std::string ms_text(const workflows::EvaluateReport& report, const std::string& method) {
    if (method != report.full.name && !has(report, method)) return "–";
    const auto& ms = figures(report, method).ms_per_frame;
    return ms ? fmt::format("{:.2f}", *ms) : "–";
}

}  // namespace tulle::training
