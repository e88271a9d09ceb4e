// SPDX-License-Identifier: Apache-2.0
// The tables and figures of the miniature paper that run the method: 4, 6 to 8, and figures 6 to 15.
#include "tulle/training/reproduce/miniature.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/upscaling/plan.h"

#include <array>

namespace tulle::training {

using methods::Features;
using workflows::EvaluateReport;

namespace {

const std::vector<std::string> everything = {"bilinear",  "biquadratic",     "bicubic",  "hierarchy:paper",
                                             "hierarchy", "miniature:paper", "miniature"};

// A weights file with the paper's features for a factor that none is shipped for.
std::filesystem::path train_paper_factor(Reproduction& run, int factor, double minutes) {
    const datasets::TrainingData& data = run.data("curtain");
    const TrialResult trial = run.trial(
        fmt::format("table 4, factor {}", factor), data,
        {.subject = patches(factor, Features::Paper), .hidden = {64, 64, 64}, .minutes = run.minutes(minutes)});
    const methods::UpscalingModel model{.source = "",
                                        .card = {.method = "miniature", .scene = "curtain"},
                                        .part = {.factor = factor,
                                                 .features = Features::Paper,
                                                 .scaling = methods::Scaling::Paper,
                                                 .grid = data.sequences.front().grid},
                                        .networks = {{"patch", trial.network}}};
    const std::filesystem::path file = std::filesystem::absolute(
        run.output() / "caches" / scene::weights_name("miniature", "curtain", factor, Features::Paper));
    std::filesystem::create_directories(file.parent_path());
    save_upscaling_model(file, model);
    return file;
}

// The interpolations on the paper's own coarse cloth.
EvaluateReport interpolations_by_paper(Reproduction& run, int frames) {
    return run.evaluate("curtain", {"bilinear", "biquadratic", "bicubic"}, frames, {"upscaling.scaling='paper'"});
}

void table_8(const std::vector<EvaluateReport>& reports, Page& page) {
    constexpr std::array<std::array<const char*, 4>, 3> paper = {
        {{"Curtain", "72.8", "49.7", "37.5"}, {"Flag", "33.2", "24.8", "18.1"}, {"Collision", "50.2", "35.1", "33.2"}}};
    page.heading("Table 8: ms per frame");
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < reports.size(); ++i) {
        const EvaluateReport& r = reports[i];
        rows.push_back({paper[i][0], std::to_string(r.particles), paper[i][1], ms_text(r, "admm"), paper[i][2],
                        ms_text(r, "hierarchy:paper"), ms_text(r, "hierarchy"), paper[i][3],
                        ms_text(r, "miniature:paper"), ms_text(r, "miniature")});
    }
    page.table({"example", "particles", "P-ADMM: paper", "ours", "H-DNN: paper", "its settings", "ours",
                "miniature: paper", "its settings", "ours"},
               rows);
    page.text(threads_in_words());
}

void table_6(const EvaluateReport& curtain, const EvaluateReport& by_paper, Page& page) {
    page.heading("Table 6: against interpolation (curtain)");
    constexpr std::array<std::array<const char*, 3>, 3> interpolation = {
        {{"bilinear", "1.826e-03", "17.7"}, {"biquadratic", "1.825e-03", "17.7"}, {"bicubic", "1.825e-03", "17.8"}}};
    std::vector<std::vector<std::string>> rows;
    rows.reserve(interpolation.size() + 1);
    for (const auto& [name, error, ms] : interpolation)
        rows.push_back({name, error, ms, error_text(by_paper, name), error_text(curtain, name),
                        teacher_text(curtain, name), ms_text(curtain, name)});
    rows.push_back({"network", "1.816e-03", "37.5", error_text(curtain, "miniature:paper"),
                    error_text(curtain, "miniature"),
                    teacher_text(curtain, "miniature:paper") + " / " + teacher_text(curtain, "miniature"),
                    ms_text(curtain, "miniature")});
    page.table(
        {"upscaling", "paper: error", "ms", "paper's scaling: error", "our scaling: error", "teacher-forced", "ms"},
        rows);
    page.text(
        "For the network the teacher-forced errors are with the paper's features / with ours. Interpolations run on "
        "the similar cloth, the network on the calibrated one.");
}

void table_7(const std::vector<EvaluateReport>& reports, int frames, Page& page) {
    page.heading("Table 7: distance to the full simulation");
    constexpr std::array<std::array<const char*, 3>, 3> paper = {{{"Curtain", "1.841e-03", "1.816e-03"},
                                                                  {"Flag", "2.492e-02", "7.767e-03"},
                                                                  {"Collision", "5.982e-03", "5.973e-03"}}};
    std::vector<std::vector<std::string>> rows;
    for (size_t i = 0; i < reports.size(); ++i)
        rows.push_back({paper[i][0], paper[i][1], error_text(reports[i], "hierarchy:paper"),
                        error_text(reports[i], "hierarchy"), paper[i][2], error_text(reports[i], "miniature:paper"),
                        error_text(reports[i], "miniature"), scientific(reports[i].chaos_floor)});
    page.table(
        {"example", "H-DNN: paper", "its settings", "ours", "miniature: paper", "its settings", "ours", "chaos floor"},
        rows);
    page.text(fmt::format("Free-running, mean over {} frames [m].", frames));
}

}  // namespace

void table_4(Reproduction& run, Page& page) {
    page.heading("Table 4: factors (curtain)");
    constexpr double minutes = 0.75;
    constexpr std::array<std::array<const char*, 2>, 3> paper = {
        {{"1.816e-03", "37.5"}, {"2.916e-03", "19.1"}, {"3.901e-03", "16.2"}}};
    std::vector<std::vector<std::string>> rows;
    for (int factor = 2; factor <= 4; ++factor) {
        scene::Overrides overrides = {fmt::format("upscaling.factor={}", factor)};
        const EvaluateReport ours = run.evaluate("curtain", {"miniature"}, 150, overrides);
        if (factor > 2)
            overrides.push_back(
                fmt::format("upscaling.weights='{}'", train_paper_factor(run, factor, minutes).string()));
        const EvaluateReport theirs = run.evaluate("curtain", {"miniature:paper"}, 150, overrides);
        const auto& row = paper[static_cast<size_t>(factor - 2)];
        rows.push_back({std::to_string(factor), row[0], row[1], error_text(theirs, "miniature:paper"),
                        teacher_text(theirs, "miniature:paper"), ms_text(theirs, "miniature:paper"),
                        error_text(ours, "miniature"), teacher_text(ours, "miniature"), ms_text(ours, "miniature")});
    }
    page.table({"factor", "paper: error", "ms", "paper's settings: error", "teacher-forced", "ms", "ours: error",
                "teacher-forced", "ms"},
               rows);
    page.text(fmt::format(
        "Mean distance per particle to the full simulation [m], free-running over 150 frames, and with the coarse "
        "vertices of the full simulation (teacher-forced). The paper does not say which of the two it measured; its "
        "figures are "
        "of the teacher-forced size. Networks of the paper's settings at factors 3 and 4 trained for {}.",
        run.budget(minutes)));
}

void tables_6_to_8(Reproduction& run, Page& page) {
    constexpr int frames = 150;
    std::vector<EvaluateReport> reports;
    for (const char* name : {"curtain", "flag-small", "collision"}) {
        reports.push_back(run.evaluate(name, everything, frames));
        const std::vector<std::string> shown = {"admm", "hierarchy:paper", "miniature:paper", "hierarchy", "miniature"};
        page.picture(
            run.picture(reports.back(), shown, std::string("miniature-") + name),
            fmt::format("Figures 6 and 9 to 12, {}: full simulation, H-DNN and miniature with the papers' settings, "
                        "then both with ours",
                        name));
    }
    table_6(reports.front(), interpolations_by_paper(run, frames), page);
    table_7(reports, run.frames(frames), page);
    table_8(reports, page);
}

void figures_13_and_14(Reproduction& run, Page& page) {
    const std::vector<std::string> methods = {"hierarchy:paper", "miniature:paper", "hierarchy", "miniature"};
    const auto row_of = [&](const std::string& label, const EvaluateReport& report) {
        std::vector<std::string> row = {label};
        for (const std::string& method : methods) row.push_back(error_text(report, method));
        return row;
    };
    page.heading("Figures 13 and 14: other masses and springs (curtain)");
    std::vector<std::vector<std::string>> rows;
    for (const double mass : {1.5, 3.0, 4.5}) {
        const EvaluateReport report = run.evaluate("curtain", methods, 75, {fmt::format("cloth.mass={}", mass / 1000)});
        rows.push_back(row_of(fmt::format("mass {}", mass), report));
        page.picture(run.picture(report, {"admm", "hierarchy:paper", "miniature:paper", "miniature"},
                                 fmt::format("miniature-mass-{:.0f}", 10 * mass)),
                     fmt::format("Figure 13, mass {}", mass));
    }
    for (const int spring : {40, 70, 150}) {
        const EvaluateReport report = run.evaluate(
            "curtain", methods, 75,
            {fmt::format("cloth.stretch.stiffness={}", spring), fmt::format("cloth.shear.stiffness={}", spring)});
        rows.push_back(row_of(fmt::format("spring {}", spring), report));
        page.picture(run.picture(report, {"admm", "hierarchy:paper", "miniature:paper", "miniature"},
                                 fmt::format("miniature-spring-{}", spring)),
                     fmt::format("Figure 14, spring constant {}", spring));
    }
    page.table({"changed", "hierarchy, paper's", "miniature, paper's", "hierarchy, ours", "miniature, ours"}, rows);
    page.text(
        "Mean distance to the full simulation over 75 frames [m]. Masses are taken as grams a particle, spring "
        "constants "
        "as newtons a metre; the curtain has 3 and 150.");
}

void figure_15(Reproduction& run, Page& page) {
    page.heading("Figure 15: wind from the other side (flag)");
    const EvaluateReport trained = run.evaluate("flag", {"bicubic", "miniature:paper", "miniature"}, 150);
    const EvaluateReport opposite = run.evaluate("flag-opposite", {"bicubic", "miniature:paper", "miniature"}, 150);
    std::vector<std::vector<std::string>> rows;
    for (const char* method : {"bicubic", "miniature:paper", "miniature"})
        rows.push_back({method, teacher_text(trained, method), teacher_text(opposite, method),
                        error_text(trained, method), error_text(opposite, method)});
    page.table(
        {"method", "teacher-forced, trained wind", "opposite wind", "free-running, trained wind", "opposite wind"},
        rows);
    page.picture(run.picture(opposite, {"admm", "miniature:paper", "miniature"}, "miniature-opposite"),
                 "Figure 15: full simulation, the paper's miniature, ours");
}

void reproduce_miniature(Reproduction& run) {
    Page page("The miniature paper's tables and figures, reproduced");
    page.text(
        fmt::format("Written by `tulle reproduce miniature{}`. \"Paper's settings\" are its features and its scaling "
                    "(`miniature:paper`); \"ours\" are local features and calibrated scaling (`miniature`).",
                    run.quick() ? " --quick" : ""));
    table_2(run, page);
    table_3(run, page);
    table_4(run, page);
    table_5(run, page);
    tables_6_to_8(run, page);
    figures_13_and_14(run, page);
    figure_15(run, page);
    page.write(run.output() / "miniature.md");
}

}  // namespace tulle::training
