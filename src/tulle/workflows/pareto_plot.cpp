// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/line_plot.h"
#include "tulle/workflows/pareto.h"

#include <fmt/format.h>

#include <cctype>

namespace tulle::workflows {

namespace {

constexpr int width = 560, height = 480;  // [px] of a panel

// One line for a solver whose iterations vary, one point with its name for every other method.
std::vector<io::PlotSeries> series_of(const ParetoPanel& panel) {
    std::vector<io::PlotSeries> series;
    std::string family;
    for (const ParetoPoint& point : panel.points) {
        const size_t colon = point.method.find(':');
        const bool is_variant = colon != std::string::npos && std::isdigit(point.method[colon + 1]) != 0;
        const std::string name = is_variant ? point.method.substr(0, colon) : point.method;
        if (name != family)
            series.push_back({.name = is_variant ? name : "",
                              .x = {},
                              .y = {},
                              .style = is_variant ? io::SeriesStyle::LinePoints : io::SeriesStyle::Points});
        family = name;
        series.back().x.push_back(point.ms_per_frame);
        series.back().y.push_back(100 * point.mean_error_to_converged);
        series.back().labels.push_back(is_variant ? point.method.substr(colon + 1) : name);
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
        "full_error_at_same_cost,chaos_floor\n";
    for (const ParetoPanel& panel : report.panels)
        for (const ParetoPoint& point : panel.points)
            text += fmt::format(
                "{},{:g},{},{:.6g},{:.6g},{:.6g},{},{:.6g}\n", panel.name, panel.stiffness_factor, point.method,
                point.ms_per_frame, point.mean_error_to_converged, point.p95_error_to_converged,
                point.truth_at_same_cost ? fmt::format("{:.6g}", *point.truth_at_same_cost) : "", panel.chaos_floor);
    return text;
}

}  // namespace tulle::workflows
