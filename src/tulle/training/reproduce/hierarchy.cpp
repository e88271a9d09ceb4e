// SPDX-License-Identifier: Apache-2.0
// docs/results/hierarchy.md: the tables and figures of the hierarchy paper.
#include "tulle/training/reproduce/reproduction.h"

#include "tulle/core/error.h"

#include <array>
#include <cmath>

namespace tulle::training {

using methods::Features;
using workflows::EvaluateReport;

namespace {

constexpr long subset = 100'000;  // pairs an epoch goes over
const std::vector<int> three_layers = {32, 32};

// Equation 7: the root of the mean over triangles of the squares of nine numbers.
std::string equation_7(double mean_square) { return scientific(std::sqrt(9 * mean_square)); }

void table_1(Reproduction& run, Page& page) {
    page.heading("Table 1: loss while training (flag)");
    constexpr std::array<std::array<const char*, 4>, 2> paper = {
        {{"1.48e-05", "8.14e-06", "2.28e-06", "1.63e-06"}, {"2.94e-04", "1.45e-06", "3.13e-07", "2.62e-07"}}};
    const std::array<int, 4> epochs = {100, 1500, 3000, 5000};
    std::vector<std::vector<std::string>> rows;
    double minutes = 0;
    for (int level = 1; level <= 2; ++level) {
        std::vector<std::string> theirs = {fmt::format("l{}, paper", level)};
        for (const char* loss : paper[static_cast<size_t>(level - 1)]) theirs.emplace_back(loss);
        rows.push_back(theirs);
        for (const Features features : {Features::Paper, Features::Local}) {
            const TrialResult trial =
                run.trial(fmt::format("table 1, l{} {}", level, to_string(features)), run.data("flag"),
                          {.subject = triangles(level, features),
                           .hidden = three_layers,
                           .epochs = run.quick() ? 4 : epochs.back(),
                           .samples_per_epoch = run.quick() ? 1000 : subset});
            std::vector<std::string> row = {fmt::format("l{}, {} features", level, to_string(features))};
            for (const int epoch : epochs) {
                const size_t at = std::min(trial.history.size(), static_cast<size_t>(epoch)) - 1;
                row.push_back(equation_7(trial.history[at].training_loss));
            }
            rows.push_back(row);
            minutes += trial.minutes;
        }
    }
    page.table({"network 3*FC-32", "100 epochs", "1500", "3000", "5000"}, rows);
    page.text(fmt::format(
        "RMSE of equation 7 [m] over the batches of that epoch; an epoch goes over a fixed subset of {} pairs (the "
        "paper's over about 3 million), and the four trainings took {:.1f} minutes together.{}",
        run.quick() ? 1000 : subset, minutes, run.quick() ? " With --quick there are only 4 epochs." : ""));
}

void table_2_ms(Reproduction& run, Page& page) {
    page.heading("Table 2: ms per frame");
    constexpr std::array<std::array<const char*, 5>, 2> paper = {
        {{"Flag", "flag", "87.5", "76.4", "33.8"}, {"Cloth", "cloth", "21.3", "19.2", "15.4"}}};
    std::vector<std::vector<std::string>> rows;
    for (const auto& row : paper) {
        const EvaluateReport report = run.evaluate(row[1], {"implicit_cg", "hierarchy:paper", "hierarchy"}, 100);
        rows.push_back({row[0], std::to_string(report.particles), row[2], ms_text(report, "implicit_cg"), row[3],
                        ms_text(report, "admm"), row[4], ms_text(report, "hierarchy:paper"),
                        ms_text(report, "hierarchy")});
    }
    page.table(
        {"example", "masses", "CG: paper", "ours", "ADMM: paper", "ours", "hierarchy: paper", "its settings", "ours"},
        rows);
    page.text(threads_in_words());
}

void levels_side_by_side(Reproduction& run, Page& page) {
    page.heading("Figures 6, 8 and 9: levels, collision, full and coarse");
    std::vector<std::vector<std::string>> rows;
    for (const char* name : {"flag", "collision"}) {
        const EvaluateReport report =
            run.evaluate(name, {"bilinear", "hierarchy:paper", "hierarchy"}, 75, {"upscaling.factor=4"});
        page.picture(
            run.picture(report, {"admm", "bilinear", "hierarchy:paper", "hierarchy"}, std::string("hierarchy-") + name),
            fmt::format(
                "{}: full simulation, the coarse level l0 by itself (drawn through its own vertices), the paper's "
                "hierarchy, ours",
                name));
        for (const char* method : {"bilinear", "hierarchy:paper", "hierarchy"})
            rows.push_back({fmt::format("{}, {}", name, std::string(method) == "bilinear" ? "l0 alone" : method),
                            error_text(report, method), teacher_text(report, method)});
    }
    page.table({"scene and method", "free-running error", "teacher-forced"}, rows);
    page.text("Mean distance per particle to the full simulation over 75 frames [m].");
}

void figure_7(Reproduction& run, Page& page) {
    page.heading("Figure 7: other stiffness (flag)");
    std::vector<std::vector<std::string>> rows;
    for (const auto& [stretch, bend] : {std::pair{50, 2}, {50, 20}, {200, 2}, {200, 20}}) {
        const EvaluateReport report = run.evaluate(
            "flag", {"hierarchy:paper", "hierarchy"}, 75,
            {fmt::format("cloth.stretch.stiffness={}", stretch), fmt::format("cloth.shear.stiffness={}", stretch),
             fmt::format("cloth.bend.stiffness={}", bend)});
        rows.push_back({fmt::format("k = {}, k_b = {} N/m", stretch, bend), error_text(report, "hierarchy:paper"),
                        error_text(report, "hierarchy"), teacher_text(report, "hierarchy:paper"),
                        teacher_text(report, "hierarchy")});
        page.picture(run.picture(report, {"admm", "hierarchy:paper", "hierarchy"},
                                 fmt::format("hierarchy-stiffness-{}-{}", stretch, bend)),
                     fmt::format("k = {}, k_b = {} N/m: full, paper's, ours", stretch, bend));
    }
    page.table({"stiffness", "paper's: error", "ours: error", "paper's: teacher-forced", "ours: teacher-forced"}, rows);
}

void figure_10(Reproduction& run, Page& page) {
    page.heading("Figure 10: structures (flag, last level)");
    constexpr double minutes = 0.15;
    std::vector<std::pair<std::string, std::vector<int>>> structures;
    for (int layers = 2; layers <= 5; ++layers)
        structures.emplace_back(fmt::format("{}*FC-32", layers), std::vector<int>(static_cast<size_t>(layers - 1), 32));
    for (const int width : {16, 64, 128}) structures.push_back({fmt::format("3*FC-{}", width), {width, width}});
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, hidden] : structures) {
        std::vector<std::string> row = {name};
        for (const Features features : {Features::Paper, Features::Local}) {
            const TrialResult trial =
                run.trial("figure 10, " + name, run.data("flag"),
                          {.subject = triangles(2, features), .hidden = hidden, .minutes = run.minutes(minutes)});
            row.push_back(equation_7(trial.training_loss));
            row.push_back(equation_7(trial.test_loss));
        }
        rows.push_back(row);
    }
    page.table({"network", "paper's features: training", "test", "local: training", "test"}, rows);
    page.text(
        fmt::format("RMSE of equation 7 [m] after {} of training each. The paper draws curves and finds 3*FC-32 best.",
                    run.budget(minutes)));
}

void figure_11(Reproduction& run, Page& page) {
    page.heading("Figure 11: the over-stretched cloth");
    const EvaluateReport report = run.evaluate("overstretch", {"bicubic", "hierarchy:paper", "hierarchy"}, 150);
    std::vector<std::vector<std::string>> rows;
    for (const char* method : {"bicubic", "hierarchy:paper", "hierarchy"})
        rows.push_back({method, error_text(report, method), teacher_text(report, method)});
    page.table({"method", "free-running error", "teacher-forced"}, rows);
    page.picture(run.picture(report, {"admm", "hierarchy:paper", "hierarchy"}, "hierarchy-overstretch"),
                 "Full simulation, the paper's hierarchy with its wrinkles that stay, ours");
}

}  // namespace

void reproduce_hierarchy(Reproduction& run) {
    Page page("The hierarchy paper's tables and figures, reproduced");
    page.text(
        fmt::format("Written by `tulle reproduce hierarchy{}`. \"Paper's settings\" are its features and its scaling "
                    "(`hierarchy:paper`); \"ours\" are local features and calibrated scaling (`hierarchy`).",
                    run.quick() ? " --quick" : ""));
    table_1(run, page);
    table_2_ms(run, page);
    levels_side_by_side(run, page);
    figure_7(run, page);
    figure_10(run, page);
    figure_11(run, page);
    page.write(run.output() / "hierarchy.md");
}

}  // namespace tulle::training
