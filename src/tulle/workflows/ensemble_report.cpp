// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/ensemble.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tulle::workflows {

namespace {

using Json = nlohmann::ordered_json;
using evaluation::Interval;

Json json_of(const std::optional<Interval>& interval) {
    if (!interval) return nullptr;
    return {{"mean", interval->mean}, {"half_width", interval->half_width}};
}

Json json_of(const EnsembleMethod& method) {
    Json figures = Json::object();
    for (const EnsembleFigure& figure : method.figures) figures[figure.name] = json_of(figure.value);
    const auto distance = [&](double evaluation::ShapeDistances::*member) {
        return method.distances ? Json((*method.distances).*member) : Json();
    };
    return {{"name", method.name},
            {"diverged", method.diverged},
            {"horizon", json_of(method.horizon)},
            {"within_floor", method.within_floor},
            {"strain_distance", distance(&evaluation::ShapeDistances::strain)},
            {"curvature_distance", distance(&evaluation::ShapeDistances::curvature)},
            {"tip_distance", distance(&evaluation::ShapeDistances::tip)},
            {"figures", std::move(figures)},
            {"curve_to_full", method.curve_to_full}};
}

std::optional<Interval> figure_of(const EnsembleMethod& method, const std::string& name) {
    const auto found = std::find_if(method.figures.begin(), method.figures.end(),
                                    [&](const EnsembleFigure& figure) { return figure.name == name; });
    return found == method.figures.end() ? std::nullopt : found->value;
}

std::string cell(const std::optional<Interval>& interval, double scale, int digits) {
    if (!interval) return "-";
    return fmt::format("{:.{}f} ± {:.{}f}", scale * interval->mean, digits, scale * interval->half_width, digits);
}

constexpr const char* row = "{:<22} {:>14} {:>16} {:>14} {:>17} {:>15} {:>9} {:>10} {:>8}\n";

std::string row_of(const EnsembleMethod& method, const std::string& name) {
    const auto distance = [&](double evaluation::ShapeDistances::*member, double scale, int digits) {
        return method.distances ? fmt::format("{:.{}f}", scale * (*method.distances).*member, digits) : "-";
    };
    return fmt::format(
        row, name, cell(figure_of(method, "ms_per_frame"), 1, 2), cell(figure_of(method, "mean_error_to_full"), 100, 2),
        cell(method.horizon, 1, 2), cell(figure_of(method, "wrinkle_energy"), 1, 3),
        cell(figure_of(method, "flicker"), 1, 3), distance(&evaluation::ShapeDistances::strain, 100, 3),
        distance(&evaluation::ShapeDistances::curvature, 1, 3), distance(&evaluation::ShapeDistances::tip, 100, 3));
}

}  // namespace

std::string to_json(const EnsembleReport& report) {
    Json methods = Json::array();
    for (const EnsembleMethod& method : report.methods) methods.push_back(json_of(method));
    return Json{{"scene", report.scene},
                {"frames", report.frames},
                {"threads", report.threads},
                {"seeds", report.seeds},
                {"chaos_floor", json_of(report.chaos_floor)},
                {"cpu_share", report.cpu_share},
                {"chaos_curve", report.chaos_curve},
                {"full", json_of(report.full)},
                {"methods", std::move(methods)}}
        .dump();
}

std::string to_csv(const EnsembleReport& report) {
    const auto number = [](const std::optional<double>& value) { return value ? fmt::format(",{:.9g}", *value) : ","; };
    const auto interval = [&](const std::optional<Interval>& one) {
        return one ? number(one->mean) + number(one->half_width) : ",,";
    };
    std::string text = "name,seeds,horizon,horizon_half_width,strain_distance,curvature_distance,tip_distance";
    for (const EnsembleFigure& figure : report.full.figures) text += fmt::format(",{0},{0}_half_width", figure.name);
    text += "\n";
    const auto line = [&](const EnsembleMethod& method, const std::string& name) {
        text += fmt::format("{},{}", name, report.seeds - method.diverged) + interval(method.horizon);
        for (const auto member : {&evaluation::ShapeDistances::strain, &evaluation::ShapeDistances::curvature,
                                  &evaluation::ShapeDistances::tip})
            text += method.distances ? number((*method.distances).*member) : ",";
        for (const EnsembleFigure& figure : report.full.figures) text += interval(figure_of(method, figure.name));
        text += "\n";
    };
    line(report.full, "full");
    for (const EnsembleMethod& method : report.methods) line(method, method.name);
    return text;
}

std::string to_table(const EnsembleReport& report) {
    std::string text = fmt::format(
        "{}: {} particles, {} frames, {} seeds, {} thread{}; chaos floor {} cm\n"
        "Means over the seeds with 95 % intervals; the distances of full are those between its two halves.\n\n",
        report.scene, report.particles, report.frames, report.seeds, report.threads, report.threads == 1 ? "" : "s",
        cell(report.chaos_floor, 100, 2));
    text += fmt::format(row, "", "", "", "horizon", "wrinkle", "", "strain", "curvature", "tip");
    text += fmt::format(row, "method", "ms per frame", "cm to full", "s", "energy", "flicker", "%", "1/m", "cm");
    text += row_of(report.full, fmt::format("full ({})", report.full.name));
    for (const EnsembleMethod& method : report.methods) text += row_of(method, method.name);
    for (const EnsembleMethod& method : report.methods) {
        if (method.within_floor > 0)
            text += fmt::format("  {}: {} of {} seeds never exceed twice the floor\n", method.name, method.within_floor,
                                report.seeds);
        if (method.diverged > 0)
            text += fmt::format("  {}: {} of {} seeds diverged and are left out\n", method.name, method.diverged,
                                report.seeds);
    }
    return text;
}

}  // namespace tulle::workflows
