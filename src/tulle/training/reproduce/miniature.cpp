// SPDX-License-Identifier: Apache-2.0
// docs/results/miniature.md: the tables and figures of the miniature paper.
#include "tulle/training/reproduce/miniature.h"

#include "tulle/training/reproduce/order_in_words.h"
#include "tulle/training/reproduce/weights_table.h"

namespace tulle::training {

using workflows::EvaluateReport;

void figures_13_and_14(Reproduction& run, Page& page) {
    const std::vector<std::string> methods = {"hierarchy:paper", "miniature:paper", "hierarchy", "miniature"};
    const std::vector<std::string> shown = {"admm", "hierarchy:paper", "miniature:paper", "miniature"};
    std::vector<std::vector<std::string>> rows;
    const auto add = [&](const std::string& label, const std::string& caption, const std::string& picture,
                         const scene::Overrides& changed) {
        const EvaluateReport report = run.evaluate("curtain", methods, 75, changed);
        rows.push_back({label});
        for (const std::string& method : methods) rows.back().push_back(error_text(report, method));
        page.picture(run.picture(report, shown, picture), caption);
    };
    page.heading("Figures 13 and 14: other masses and springs (curtain)");
    for (const double mass : {1.5, 3.0, 4.5})
        add(fmt::format("mass {}", mass), fmt::format("Figure 13, mass {}", mass),
            fmt::format("miniature-mass-{:.0f}", 10 * mass), {fmt::format("cloth.mass={}", mass / 1000)});
    for (const int spring : {40, 70, 150})
        add(fmt::format("spring {}", spring), fmt::format("Figure 14, spring constant {}", spring),
            fmt::format("miniature-spring-{}", spring),
            {fmt::format("cloth.stretch.stiffness={}", spring), fmt::format("cloth.shear.stiffness={}", spring)});
    page.table({"changed", "hierarchy, paper's", "miniature, paper's", "hierarchy, ours", "miniature, ours"}, rows);
    page.text(
        "Mean distance to the full simulation over 75 frames [m]. Masses are taken as grams a particle, spring "
        "constants as newtons a metre; the curtain has 3 and 150.");
}

void figure_15(Reproduction& run, Page& page) {
    page.heading("Figure 15: wind from the other side (flag)");
    const std::vector<std::string> methods = {"bicubic:calibrated", "miniature:paper", "miniature"};
    const EvaluateReport trained = run.evaluate("flag", methods, 150);
    const EvaluateReport opposite = run.evaluate("flag-opposite", methods, 150);
    std::vector<std::vector<std::string>> rows;
    for (const std::string& method : methods)
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
    page.text(fmt::format(
        "Written by `tulle reproduce miniature{}`. \"Paper's settings\" are its features and its scaling "
        "(`miniature:paper`); \"ours\" are canonical features and calibrated scaling (`miniature`). Within a table "
        "both features learn from the same sequences with the same budget of minutes; the weights of the tables and "
        "figures that train none are listed at the end.",
        run.quick() ? " --quick" : fmt::format(" --minutes-per-cell {:g}", run.minutes_per_cell())));
    page.text(budget_in_words(run.minutes_per_cell()));
    table_2(run, page);
    table_3(run, page);
    table_4_and_figures_7_and_8(run, page);
    table_5(run, page);
    tables_6_to_8(run, page);
    figures_13_and_14(run, page);
    figure_15(run, page);
    std::vector<ShippedWeights> shipped;
    for (const char* scene : {"curtain", "flag-small", "collision"})
        shipped.insert(shipped.end(), {{"miniature", scene, 2}, {"hierarchy", scene, 4}});
    shipped.push_back({"miniature", "flag", 2});
    weights_table(run, page, shipped);
    page.write(run.output() / "miniature.md");
}

}  // namespace tulle::training
