// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"
#include "tulle/io/line_plot.h"
#include "tulle/workflows/evaluation_report.h"
#include "tulle/workflows/html_page.h"

#include <fmt/format.h>

#include <numeric>

namespace tulle::workflows {

namespace {

std::string base64(const std::string& bytes) {
    constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3) {
        unsigned triple = 0;
        for (size_t k = 0; k < 3; ++k)
            triple = triple << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) text += i + k > bytes.size() ? '=' : digits[triple >> (18 - 6 * k) & 63];
    }
    return text;
}

struct Column {
    const char* figure;  // its name in files
    const char* title;
    double scale;  // from the unit of files to the one of the title
    int digits;
};
constexpr Column columns[] = {{"ms_per_frame", "ms per frame: median", 1, 3},
                              {"p99_ms_per_frame", "p99", 1, 3},
                              {"ms_simulation", "simulation [ms]", 1, 3},
                              {"ms_inference", "inference [ms]", 1, 3},
                              {"speedup", "speed-up", 1, 2},
                              {"mean_error_to_full", "to full: mean [cm]", 100, 3},
                              {"p95_error_to_full", "p95", 100, 3},
                              {"max_error_to_full", "max", 100, 2},
                              {"mean_error_to_converged", "to converged: mean [cm]", 100, 3},
                              {"p95_error_to_converged", "p95", 100, 3},
                              {"max_error_to_converged", "max", 100, 2},
                              {"teacher_forced_error", "teacher-forced: mean [cm]", 100, 4},
                              {"teacher_forced_p95", "p95", 100, 4},
                              {"normal_error_degrees", "normals: mean [°]", 1, 2},
                              {"p95_normal_error_degrees", "p95", 1, 2},
                              {"max_stretch", "largest stretch", 1, 3},
                              {"p99_strain", "strain: p99 [%]", 100, 2},
                              {"stretch_energy", "stretch energy [J]", 1, 4},
                              {"bending_energy", "bending energy [J]", 1, 4},
                              {"wrinkle_energy", "wrinkle energy", 1, 3},
                              {"flicker", "flicker", 1, 3},
                              {"intersections", "intersections", 1, 0},
                              {"intersecting_frames", "frames", 1, 0},
                              {"penetrations", "vertices inside", 1, 0},
                              {"penetrating_faces", "faces cut", 1, 0},
                              {"penetrating_frames", "frames", 1, 0}};

std::string row_of(const MethodFigures& method, const std::string& name, bool is_reference) {
    std::string row = fmt::format("<tr><td{}>{}</td>", is_reference ? " class=\"reference\"" : "", escape_html(name));
    const std::vector<NamedFigure> figures = figures_of(method);
    for (const Column& column : columns)
        for (const NamedFigure& figure : figures)
            if (figure.name == column.figure)
                row += figure.value ? fmt::format("<td>{:.{}f}</td>", *figure.value * column.scale, column.digits)
                                    : "<td>–</td>";
    return row + "</tr>\n";
}

std::string table_of(const EvaluateReport& report) {
    std::string text = "<table>\n<tr><th>method</th>";
    for (const Column& column : columns) text += fmt::format("<th>{}</th>", column.title);
    text += "</tr>\n" + row_of(report.full, fmt::format("full ({})", report.full.name), true);
    if (report.converged) text += row_of(*report.converged, "converged (newton)", true);
    for (const MethodFigures& method : report.methods) text += row_of(method, method.name, false);
    text += "</table>\n";
    for (const MethodFigures& method : report.methods)
        if (!method.note.empty())
            text += fmt::format("<p>{}: {}</p>\n", escape_html(method.name), escape_html(method.note));
    return text;
}

std::vector<double> in_centimetres(std::vector<double> metres) {
    for (double& value : metres) value *= 100;
    return metres;
}

using Curve = std::vector<double> MethodFigures::*;

io::LinePlot error_over_time(const EvaluateReport& report, Curve curve, const std::string& reference) {
    io::LinePlot plot{.title = "Error over time, to the " + reference,
                      .x_label = "time [s]",
                      .y_label = "mean distance [cm]",
                      .log_y = true,
                      .series = {},
                      .width = 840};
    const auto times = [&](size_t count) {
        std::vector<double> values(count);
        std::iota(values.begin(), values.end(), 1.0);
        for (double& value : values) value *= report.frame_time;
        return values;
    };
    for (const MethodFigures& method : report.methods)
        plot.series.push_back(
            {.name = method.name, .x = times((method.*curve).size()), .y = in_centimetres(method.*curve)});
    plot.series.push_back({.name = "chaos floor",
                           .x = times(report.chaos_curve.size()),
                           .y = in_centimetres(report.chaos_curve),
                           .style = io::SeriesStyle::DashedLine});
    return plot;
}

io::LinePlot error_against_cost(const EvaluateReport& report, const std::string& reference) {
    io::LinePlot plot{.title = "Error against cost, to the " + reference,
                      .x_label = "ms per frame",
                      .y_label = "mean distance [cm]",
                      .log_x = true,
                      .log_y = true,
                      .series = {},
                      .width = 840};
    for (const MethodFigures& method : report.methods) {
        const auto& distances = report.converged ? method.to_converged : method.to_full;
        if (method.ms_per_frame && distances)
            plot.series.push_back({.name = "",
                                   .x = {*method.ms_per_frame},
                                   .y = {100 * distances->mean},
                                   .style = io::SeriesStyle::Points,
                                   .labels = {method.name}});
    }
    return plot;
}

std::string pareto_section(const ParetoReport& pareto) {
    std::string text =
        fmt::format(
            "<h2>The sceptic's plot</h2>\n<p>Lower and further left is better. The line of {} is what the full "
            "solver does in the same time with fewer iterations (the numbers beside it): a method above that "
            "line is not worth its network.</p>\n",
            pareto.truth) +
        to_svg(pareto);
    if (pareto.cpu_share < least_cpu_share)
        text += "<p><strong>Note: the machine was busy, so the costs are not to be trusted.</strong></p>\n";
    for (const SkippedMethod& skipped : pareto.skipped)
        text += fmt::format("<p>{} is not in it: {}</p>\n", escape_html(skipped.method), escape_html(skipped.reason));
    return text;
}

std::string plots_of(const EvaluateReport& report) {
    std::string text = io::svg_of(error_over_time(report, &MethodFigures::curve_to_full, "full run"));
    if (report.converged)
        text += io::svg_of(error_over_time(report, &MethodFigures::curve_to_converged, "converged run"));
    return text + io::svg_of(error_against_cost(report, report.converged ? "converged run" : "full run"));
}

}  // namespace

std::string to_html(const EvaluateReport& report, const std::optional<ParetoReport>& pareto,
                    const std::vector<std::filesystem::path>& pictures) {
    std::string text = html_begin(report.scene);
    text += fmt::format(
        "<p>{} particles, {} frames of {:g} ms, {} thread{}. Two full runs whose starts differ by up to {:g} m are "
        "{:.3g} cm "
        "apart on average: no method can be told from the full run below this chaos floor. Distances are over all "
        "particles and frames but the first; costs are medians over the frames. docs/evaluation.md explains every "
        "figure.</p>\n",
        report.particles, report.frames, 1000 * report.frame_time, report.threads, report.threads == 1 ? "" : "s",
        chaos_noise, 100 * report.chaos_floor);
    for (const std::string& sentence : warnings(report))
        text += fmt::format("<p><strong>Note: {}.</strong></p>\n", escape_html(sentence));
    text += table_of(report) + "<h2>Plots</h2>\n" + plots_of(report);
    if (pareto) text += pareto_section(*pareto);
    if (!pictures.empty()) text += "<h2>The same frame by every method</h2>\n";
    constexpr std::uintmax_t largest_picture = 1u << 28;
    for (const std::filesystem::path& picture : pictures)
        text += fmt::format("<p><img alt=\"the same frame by every method\" src=\"data:image/png;base64,{}\"></p>\n",
                            base64(read_file(picture, largest_picture)));
    return text + html_end;
}

}  // namespace tulle::workflows
