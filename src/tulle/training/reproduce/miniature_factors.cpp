// SPDX-License-Identifier: Apache-2.0
// Table 4 of the miniature paper, and its figures 7 and 8: factors.
#include "tulle/scene/families/upscaling/judge_networks.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/training/reproduce/miniature.h"
#include "tulle/training/reproduce/order_in_words.h"

#include <array>

namespace tulle::training {

namespace fs = std::filesystem;
using methods::Features;
using workflows::EvaluateReport;

namespace {

methods::Trust trust_of(const neural::Network& network, const datasets::TrainingData& data, const Subject& subject) {
    const scene::UpscalingCourse course(subject.course);
    scene::Sources samples;
    for (const size_t index : data.split.validation)
        samples.push_back(course.cut(data.sequences[index], subject.network));
    return scene::JudgedAnswers(network, samples).find_trust();
}

// A network that was trained here, as a weights file. The coarse cloth of ours is that of the shipped weights.
fs::path write_weights(Reproduction& run, const Subject& subject, const neural::Network& network) {
    const datasets::TrainingData& data = run.data("curtain");
    const Features features = subject.course.features;
    const std::string name = scene::weights_name("miniature", "curtain", subject.course.factor, features);
    methods::UpscalingModel model{.source = "",
                                  .card = {.method = "miniature", .scene = "curtain"},
                                  .part = {.factor = subject.course.factor, .features = features},
                                  .networks = {{subject.network, network}}};
    model.part.grid = data.sequences.front().grid;
    if (features == Features::Canonical) {
        model.part.calibration = methods::load_upscaling_model(run.project() / "models" / name).part.calibration;
        model.part.trust[subject.network] = trust_of(network, data, subject);
    }
    const fs::path file = fs::absolute(run.output() / "caches" / name);
    fs::create_directories(file.parent_path());
    save_upscaling_model(file, model);
    return file;
}

// One network of the table at work.
struct FactorRun {
    TrialResult trial;
    EvaluateReport report;
};

FactorRun run_factor(Reproduction& run, int factor, Features features, const std::string& method) {
    const Subject subject = patches(factor, features);
    FactorRun done;
    done.trial = run.trial(
        fmt::format("miniature table 4, {}, factor {}", to_string(features), factor), run.data("curtain"),
        {.subject = subject, .hidden = hidden_of_equal_cost(subject, {64, 64, 64}), .minutes = run.minutes_per_cell()});
    done.report =
        run.evaluate("curtain", {method}, 150,
                     {fmt::format("upscaling.factor={}", factor),
                      fmt::format("upscaling.weights='{}'", write_weights(run, subject, done.trial.network).string())});
    return done;
}

// The cache of a method under another name, because the next evaluation replaces it.
fs::path keep_cache(const Reproduction& run, const EvaluateReport& report, const std::string& method,
                    const std::string& name) {
    const fs::path kept = run.output() / "caches" / (name + ".h5");
    fs::rename(figures(report, method).cache, kept);
    return kept;
}

}  // namespace

void table_4_and_figures_7_and_8(Reproduction& run, Page& page) {
    page.heading("Table 4 and figures 7 and 8: factors (curtain)");
    constexpr std::array<std::array<const char*, 2>, 3> paper = {
        {{"1.816e-03", "37.5"}, {"2.916e-03", "19.1"}, {"3.901e-03", "16.2"}}};
    std::vector<std::vector<std::string>> rows;
    std::vector<FactorRun> runs;
    runs.reserve(6);
    std::vector<NamedTrial> cells;
    std::vector<Still> coarse, fine;
    for (int factor = 2; factor <= 4; ++factor) {
        rows.push_back({std::to_string(factor), paper[static_cast<size_t>(factor - 2)][0],
                        paper[static_cast<size_t>(factor - 2)][1]});
        for (const auto& [features, method] :
             {std::pair{Features::Paper, "miniature:paper"}, {Features::Canonical, "miniature"}}) {
            const FactorRun& done = runs.emplace_back(run_factor(run, factor, features, method));
            cells.push_back({fmt::format("factor {}, {}", factor, to_string(features)), &done.trial});
            for (const std::string& cell :
                 {error_text(done.report, method), teacher_text(done.report, method), ms_text(done.report, method)})
                rows.back().push_back(cell);
        }
        const EvaluateReport& ours = runs.back().report;
        if (factor == 2) coarse.push_back({keep_cache(run, ours, "admm", "factors-full"), "full simulation (admm)"});
        const fs::path kept = keep_cache(run, ours, "miniature", fmt::format("factor-{}", factor));
        coarse.push_back({kept, fmt::format("miniature, factor {}", factor), factor});
        fine.push_back({kept, fmt::format("target, factor {}", factor)});
    }
    page.table({"factor", "paper: error", "ms", "paper's settings: error", "teacher-forced", "ms", "ours: error",
                "teacher-forced", "ms"},
               rows);
    page.text(
        "Mean distance per particle to the full simulation [m], free-running over 150 frames, and with the coarse "
        "vertices of the full simulation (teacher-forced). The paper does not say which of the two it measured; its "
        "figures are of the teacher-forced size. All six networks are trained here on the same curtains, with the same "
        "budget.");
    page.text(plateau_in_words(cells));
    page.picture(run.picture(coarse, "miniature-factors-coarse"),
                 "Figure 7: the full simulation and our miniatures of factors 2, 3 and 4, in the size of the target");
    page.picture(run.picture(fine, "miniature-factors-fine"), "Figure 8: the targets made of them, ours");
}

}  // namespace tulle::training
