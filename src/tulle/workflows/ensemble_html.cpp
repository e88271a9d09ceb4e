// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/line_plot.h"
#include "tulle/workflows/ensemble.h"
#include "tulle/workflows/html_page.h"

#include <fmt/format.h>

namespace tulle::workflows {

namespace {

std::string interval_cell(const std::optional<evaluation::Interval>& interval) {
    return interval ? fmt::format("<td>{:.4g} ± {:.2g}</td>", interval->mean, interval->half_width) : "<td>–</td>";
}

std::string row_of(const EnsembleMethod& method, const std::string& name, bool is_reference) {
    std::string row = fmt::format("<tr><td{}>{}</td>", is_reference ? " class=\"reference\"" : "", escape_html(name));
    row += interval_cell(method.horizon);
    for (const auto member : {&evaluation::ShapeDistances::strain, &evaluation::ShapeDistances::curvature,
                              &evaluation::ShapeDistances::tip})
        row += method.distances ? fmt::format("<td>{:.4g}</td>", (*method.distances).*member) : "<td>–</td>";
    for (const EnsembleFigure& figure : method.figures) row += interval_cell(figure.value);
    return row + "</tr>\n";
}

std::string table_of(const EnsembleReport& report) {
    std::string text =
        "<table>\n<tr><th>method</th><th>horizon [s]</th><th>strain distance</th><th>curvature distance [1/m]</th>"
        "<th>tip distance [m]</th>";
    for (const EnsembleFigure& figure : report.full.figures) text += fmt::format("<th>{}</th>", figure.name);
    text += "</tr>\n" + row_of(report.full, fmt::format("full ({})", report.full.name), true);
    for (const EnsembleMethod& method : report.methods) text += row_of(method, method.name, false);
    text += "</table>\n";
    for (const EnsembleMethod& method : report.methods)
        if (method.diverged > 0)
            text += fmt::format("<p>{}: {} of {} seeds diverged and are left out</p>\n", escape_html(method.name),
                                method.diverged, report.seeds);
    return text;
}

io::PlotSeries curve_of(const std::string& name, const std::vector<double>& metres, double frame_time, double factor,
                        io::SeriesStyle style) {
    io::PlotSeries series{.name = name, .x = {}, .y = {}, .style = style};
    for (size_t frame = 0; frame < metres.size(); ++frame) {
        series.x.push_back(static_cast<double>(frame + 1) * frame_time);
        series.y.push_back(100 * factor * metres[frame]);
    }
    return series;
}

io::LinePlot error_over_time(const EnsembleReport& report) {
    io::LinePlot plot{.title = "Distance to full, mean over the seeds",
                      .x_label = "time [s]",
                      .y_label = "mean distance [cm]",
                      .log_y = true,
                      .series = {},
                      .width = 840};
    for (const EnsembleMethod& method : report.methods)
        plot.series.push_back(curve_of(method.name, method.curve_to_full, report.frame_time, 1, io::SeriesStyle::Line));
    plot.series.push_back(
        curve_of("twice the chaos floor", report.chaos_curve, report.frame_time, 2, io::SeriesStyle::DashedLine));
    return plot;
}

using Shape = evaluation::Histogram evaluation::ShapeDistributions::*;

// Which share of all values is below each.
io::LinePlot distribution(const EnsembleReport& report, Shape shape, const std::string& what, double scale) {
    io::LinePlot plot{.title = "Distribution of " + what,
                      .x_label = what,
                      .y_label = "share of all below [%]",
                      .log_x = true,
                      .series = {},
                      .width = 840};
    const auto add = [&](const EnsembleMethod& method, const std::string& name, io::SeriesStyle style) {
        io::PlotSeries series{.name = name, .x = {}, .y = {}, .style = style};
        for (int percent = 1; percent < 100; ++percent) {
            series.x.push_back(scale * (method.shapes.*shape).percentile(percent / 100.0));
            series.y.push_back(percent);
        }
        plot.series.push_back(std::move(series));
    };
    for (const EnsembleMethod& method : report.methods) add(method, method.name, io::SeriesStyle::Line);
    add(report.full, "full", io::SeriesStyle::DashedLine);
    return plot;
}

}  // namespace

std::string to_html(const EnsembleReport& report) {
    std::string text = html_begin(fmt::format("{}: {} seeds", report.scene, report.seeds));
    text += fmt::format(
        "<p>{} particles, {} frames of {:g} ms, {} thread{}. Each seed moves the start by up to {:g} mm. Two full runs "
        "of "
        "different seeds are {:.3g} ± {:.2g} cm apart on average. Figures are means over the seeds with 95 % "
        "intervals, in the units of docs/evaluation.md, which explains them. The distances of full are those between "
        "its "
        "two halves: what is not larger than they are is no difference.</p>\n",
        report.particles, report.frames, 1000 * report.frame_time, report.threads, report.threads == 1 ? "" : "s",
        1000 * start_move, 100 * report.chaos_floor.mean, 100 * report.chaos_floor.half_width);
    if (report.cpu_share < least_cpu_share)
        text += "<p><strong>Note: the machine was busy, so the costs are not to be trusted.</strong></p>\n";
    text += table_of(report) + "<h2>Plots</h2>\n" + io::svg_of(error_over_time(report));
    text += io::svg_of(distribution(report, &evaluation::ShapeDistributions::strain, "strain [%]", 100));
    text += io::svg_of(distribution(report, &evaluation::ShapeDistributions::curvature, "curvature [1/m]", 1));
    return text + html_end;
}

}  // namespace tulle::workflows
