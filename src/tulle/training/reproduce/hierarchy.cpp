// SPDX-License-Identifier: Apache-2.0
// docs/results/hierarchy.md: the tables and figures of the hierarchy paper.
#include "tulle/training/reproduce/hierarchy.h"

#include "tulle/geometry/miniature.h"
#include "tulle/scene/families/upscaling/plan.h"
#include "tulle/training/reproduce/order_in_words.h"
#include "tulle/training/reproduce/weights_table.h"

#include <algorithm>
#include <array>

namespace tulle::training {

using methods::Features;
using workflows::EvaluateReport;

namespace {

constexpr int factor = 4;
constexpr const char* theirs = "hierarchy:paper";
constexpr const char* ours = "hierarchy";

// An interpolation at the hierarchy's factor, on the coarse cloth that ours is calibrated for.
EvaluateReport interpolate(Reproduction& run, const std::string& scene, const std::string& trained_on,
                           const std::string& method, int frames) {
    const auto weights =
        run.project() / "models" / scene::weights_name("hierarchy", trained_on, factor, Features::Canonical);
    return run.evaluate(scene, {method + ":calibrated"}, frames,
                        {fmt::format("upscaling.factor={}", factor),
                         fmt::format("upscaling.weights='{}'", std::filesystem::absolute(weights).string())});
}

std::vector<std::string> error_row(const std::string& name, const EvaluateReport& report, const std::string& method) {
    return {name, error_text(report, method), teacher_text(report, method)};
}

void table_2_ms(Reproduction& run, Page& page) {
    page.heading("Table 2: ms per frame");
    constexpr std::array<std::array<const char*, 5>, 2> paper = {
        {{"Flag", "flag", "87.5", "76.4", "33.8"}, {"Cloth", "cloth", "21.3", "19.2", "15.4"}}};
    std::vector<std::vector<std::string>> rows;
    double cpu_share = 1;
    for (const auto& row : paper) {
        const EvaluateReport report = run.evaluate(row[1], {"implicit_cg", theirs, ours}, 100);
        cpu_share = std::min(cpu_share, report.cpu_share);
        rows.push_back({row[0], std::to_string(report.particles), row[2], ms_text(report, "implicit_cg"), row[3],
                        ms_text(report, "admm"), row[4], ms_text(report, theirs), ms_text(report, ours)});
    }
    page.table(
        {"example", "masses", "CG: paper", "ours", "ADMM: paper", "ours", "hierarchy: paper", "its settings", "ours"},
        rows);
    page.text(timing_in_words(cpu_share));
}

// Coarse vertices keep their places, so each level is every so many rows and columns of the last.
std::vector<Still> levels(const EvaluateReport& report, const std::string& method) {
    return {still_of(report, method, method + ", level l0", 4), still_of(report, method, method + ", level l1", 2),
            still_of(report, method, method + ", level l2")};
}

void draw_flag(Reproduction& run, Page& page, const EvaluateReport& report, const Still& other_reading) {
    const Still full = still_of(report, "admm", "full simulation (admm)");
    page.picture(run.picture(levels(report, theirs), "hierarchy-levels-paper"),
                 "Figure 6, the paper's settings: the simulated level l0, the inferred levels l1 and l2");
    page.picture(run.picture(levels(report, ours), "hierarchy-levels-ours"), "Figure 6, ours: levels l0, l1 and l2");
    page.picture(run.picture({full, still_of(report, theirs, "coarse (l0)", 4), still_of(report, theirs, theirs)},
                             "hierarchy-flag-paper"),
                 "Figure 9, the paper's settings: full simulation, coarse simulation, hierarchy");
    page.picture(run.picture({full, still_of(report, ours, "coarse (l0)", 4), still_of(report, ours, ours)},
                             "hierarchy-flag-ours"),
                 "Figure 9, ours: full simulation, coarse simulation, hierarchy");
    page.picture(run.picture({full, still_of(report, theirs, theirs), other_reading}, "hierarchy-flag-readings"),
                 "Both readings of the paper: full simulation, coarse particles that weigh what fine ones do, and a "
                 "coarse cloth that weighs what the fine one does");
}

void levels_side_by_side(Reproduction& run, Page& page) {
    page.heading("Figures 6, 8 and 9: levels, collision, full and coarse");
    constexpr int frames = 75;
    std::vector<std::vector<std::string>> rows;
    for (const std::string name : {"flag", "collision"}) {
        const EvaluateReport coarse = interpolate(run, name, name, "bilinear", frames);
        const OtherReading other = evaluate_with_total_mass(run, name, frames);
        const EvaluateReport report = run.evaluate(name, {theirs, ours}, frames);
        if (name == "flag")
            draw_flag(run, page, report, other.still);
        else
            page.picture(run.picture(report, {"admm", theirs, ours}, "hierarchy-collision"),
                         "Figure 8: full simulation, the paper's hierarchy, ours");
        rows.push_back(error_row(name + ", l0 of ours alone, bilinear", coarse, "bilinear:calibrated"));
        rows.push_back(error_row(name + ", " + theirs, report, theirs));
        rows.push_back({name + ", " + theirs + ", total mass kept", other.error, other.teacher_forced});
        rows.push_back(error_row(name + ", " + ours, report, ours));
    }
    page.table({"scene and method", "free-running error", "teacher-forced"}, rows);
    page.text(fmt::format("Mean distance per particle to the full simulation over {} frames [m].", run.frames(frames)));
}

void figure_7(Reproduction& run, Page& page) {
    page.heading("Figure 7: other stiffness (flag)");
    std::vector<std::vector<std::string>> rows;
    for (const auto& [stretch, bend] : {std::pair{50, 2}, {50, 20}, {200, 2}, {200, 20}}) {
        const scene::Overrides changed = {fmt::format("cloth.stretch.stiffness={}", stretch),
                                          fmt::format("cloth.shear.stiffness={}", stretch),
                                          fmt::format("cloth.bend.stiffness={}", bend)};
        const OtherReading other = evaluate_with_total_mass(run, "flag", 75, changed);
        const EvaluateReport report = run.evaluate("flag", {theirs, ours}, 75, changed);
        rows.push_back({fmt::format("k = {}, k_b = {} N/m", stretch, bend), error_text(report, theirs), other.error,
                        error_text(report, ours), teacher_text(report, theirs), teacher_text(report, ours)});
        page.picture(
            run.picture(report, {"admm", theirs, ours}, fmt::format("hierarchy-stiffness-{}-{}", stretch, bend)),
            fmt::format("k = {}, k_b = {} N/m: full, paper's, ours", stretch, bend));
    }
    page.table({"stiffness", "paper's: error", "total mass kept: error", "ours: error", "paper's: teacher-forced",
                "ours: teacher-forced"},
               rows);
}

void figure_11(Reproduction& run, Page& page) {
    page.heading("Figure 11: the over-stretched cloth");
    constexpr int frames = 150;
    const EvaluateReport bicubic = interpolate(run, "overstretch", "cloth", "bicubic", frames);
    const OtherReading other = evaluate_with_total_mass(run, "overstretch", frames);
    const EvaluateReport report = run.evaluate("overstretch", {theirs, ours}, frames);
    page.table({"method", "free-running error", "teacher-forced"},
               {error_row("bicubic, coarse cloth of ours", bicubic, "bicubic:calibrated"),
                error_row(theirs, report, theirs),
                {std::string(theirs) + ", total mass kept", other.error, other.teacher_forced},
                error_row(ours, report, ours)});
    page.text(fmt::format("All at factor {}, over {} frames [m].", factor, run.frames(frames)));
    page.picture(run.picture(report, {"admm", theirs, ours}, "hierarchy-overstretch"),
                 "Full simulation, the paper's hierarchy with its wrinkles that stay, ours");
}

void introduce(const Reproduction& run, Page& page) {
    page.text(fmt::format(
        "Written by `tulle reproduce hierarchy{}`. \"Paper's settings\" are its features and its scaling "
        "(`hierarchy:paper`); \"ours\" are canonical features and calibrated scaling (`hierarchy`). Within a table "
        "both features learn from the same sequences for the same number of epochs or with the same budget of minutes; "
        "the weights of the figures are listed at the end.",
        run.quick() ? " --quick" : fmt::format(" --minutes-per-cell {:g}", run.minutes_per_cell())));
    page.text(budget_in_words(run.minutes_per_cell()));
    page.text(
        "**A guess:** the paper does not say what a particle of its coarse level weighs. We read that it keeps the "
        "fine "
        "particle's mass, as it keeps the springs (`hierarchy:paper`). The other reading, that the coarse cloth keeps "
        "the total mass, stands beside it as \"total mass kept\" (`upscaling.calibration.mass`).");
}

}  // namespace

std::string timing_in_words(double cpu_share) {
    if (cpu_share >= workflows::least_cpu_share) return threads_in_words();
    return fmt::format(
        "{} **The machine was not quiet:** other programs took turns, and one of the runs had only {:.0f} % of a "
        "processor. The times are too long, and even their ratios are rough.",
        threads_in_words(), 100 * cpu_share);
}

std::string total_mass_kept(const Reproduction& run, const std::string& name) {
    const scene::Scene scene = scene::load_scene(run.project() / "scenes" / (name + ".toml"));
    const geometry::GridSize fine = std::get<scene::GridShape>(scene.cloth.shape).size;
    const geometry::GridSize coarse = geometry::make_miniature(fine, factor).coarse;
    return fmt::format("upscaling.calibration.mass={}",
                       static_cast<double>(fine.vertex_count()) / coarse.vertex_count());
}

OtherReading evaluate_with_total_mass(Reproduction& run, const std::string& scene, int frames,
                                      scene::Overrides overrides) {
    overrides.push_back(total_mass_kept(run, scene));
    const EvaluateReport report = run.evaluate(scene, {theirs}, frames, overrides);
    OtherReading other{
        .error = error_text(report, theirs), .teacher_forced = teacher_text(report, theirs), .still = {}};
    // The next evaluation replaces the cache.
    other.still = {.cache = run.output() / "caches" / "total-mass-kept.h5", .title = "paper, total mass kept"};
    std::filesystem::rename(figures(report, theirs).cache, other.still.cache);
    return other;
}

void reproduce_hierarchy(Reproduction& run) {
    Page page("The hierarchy paper's tables and figures, reproduced");
    introduce(run, page);
    hierarchy_table_1(run, page);
    table_2_ms(run, page);
    levels_side_by_side(run, page);
    figure_7(run, page);
    hierarchy_figure_10(run, page);
    figure_11(run, page);
    weights_table(run, page, {{"hierarchy", "flag", 4}, {"hierarchy", "cloth", 4}, {"hierarchy", "collision", 4}});
    page.write(run.output() / "hierarchy.md");
}

}  // namespace tulle::training
