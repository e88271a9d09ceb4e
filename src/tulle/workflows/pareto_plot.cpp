// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/line_plot.h"
#include "tulle/workflows/pareto.h"

#include <fmt/format.h>

#include <algorithm>

namespace tulle::workflows {

namespace {

constexpr int width = 560, height = 480;  // [px] of a panel

// One line for a solver whose iterations vary, one point for every other method. Every panel has the same series in the
// same order, so that a method has the same colour in all of them.
std::vector<io::PlotSeries> series_of(const ParetoPanel& panel) {
    std::vector<io::PlotSeries> series;
    for (const std::string& method : pareto_methods()) {
        const size_t colon = method.find(':');
        const bool is_variant = method.starts_with("admm:") || method.starts_with("xpbd:");
        const std::string family = is_variant ? method.substr(0, colon) : method;
        if (series.empty() || series.back().name != family)
            series.push_back({.name = family,
                              .x = {},
                              .y = {},
                              .style = is_variant ? io::SeriesStyle::LinePoints : io::SeriesStyle::Points});
        const auto point = std::find_if(panel.points.begin(), panel.points.end(),
                                        [&](const ParetoPoint& p) { return p.method == method; });
        if (point == panel.points.end()) continue;
        series.back().x.push_back(point->ms_per_frame);
        series.back().y.push_back(100 * point->mean_error_to_converged);
        series.back().labels.push_back(is_variant ? method.substr(colon + 1) : "");
    }
    return series;
}

io::LinePlot plot_of(const ParetoPanel& panel) {
    return {.title = fmt::format("{} cloth (stiffness × {:g})", panel.name, panel.stiffness_factor),
            .x_label = "ms per frame",
            .y_label = "mean distance to the converged solution [cm]",
            .log_x = true,
            .log_y = true,
            .series = series_of(panel),
            .width = width,
            .height = height};
}

}  // namespace

std::string to_svg(const ParetoReport& report) {
    const int total = width * static_cast<int>(report.panels.size());
    std::string text =
        fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}">)"
                    "\n",
                    total, height);
    for (size_t i = 0; i < report.panels.size(); ++i)
        text += fmt::format("<g transform=\"translate({} 0)\">\n{}</g>\n", static_cast<int>(i) * width,
                            io::svg_of(plot_of(report.panels[i])));
    return text + "</svg>\n";
}

std::string to_csv(const ParetoReport& report) {
    std::string text =
        "cloth,stiffness_factor,method,ms_per_frame,mean_error_to_converged,p95_error_to_converged,"
        "admm_error_at_same_cost,chaos_floor\n";
    for (const ParetoPanel& panel : report.panels)
        for (const ParetoPoint& point : panel.points)
            text += fmt::format(
                "{},{:g},{},{:.6g},{:.6g},{:.6g},{},{:.6g}\n", panel.name, panel.stiffness_factor, point.method,
                point.ms_per_frame, point.mean_error_to_converged, point.p95_error_to_converged,
                point.admm_at_same_cost ? fmt::format("{:.6g}", *point.admm_at_same_cost) : "", panel.chaos_floor);
    return text;
}

}  // namespace tulle::workflows
