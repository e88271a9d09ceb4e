// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluation_report.h"

#include "tulle/core/frame_cost.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tulle::workflows {

namespace {

using Summary = std::optional<evaluation::DistanceSummary>;

std::optional<double> part(const Summary& summary, double evaluation::DistanceSummary::*member) {
    if (!summary) return {};
    return (*summary).*member;
}

std::string cell(const std::optional<double>& value, double scale, int digits) {
    return value ? fmt::format("{:.{}f}", *value * scale, digits) : "-";
}

}  // namespace

std::vector<NamedFigure> figures_of(const MethodFigures& method) {
    using evaluation::DistanceSummary;
    const auto counted = [&](long ContactCounts::*member) -> std::optional<double> {
        if (!method.contacts) return {};
        return static_cast<double>((*method.contacts).*member);
    };
    return {{"ms_per_frame", method.ms_per_frame},
            {"mean_ms_per_frame", method.mean_ms_per_frame},
            {"p99_ms_per_frame", method.p99_ms_per_frame},
            {"ms_simulation", method.ms_simulation},
            {"ms_inference", method.ms_inference},
            {"mean_error_to_full", part(method.to_full, &DistanceSummary::mean)},
            {"p95_error_to_full", part(method.to_full, &DistanceSummary::p95)},
            {"max_error_to_full", part(method.to_full, &DistanceSummary::max)},
            {"mean_error_to_converged", part(method.to_converged, &DistanceSummary::mean)},
            {"p95_error_to_converged", part(method.to_converged, &DistanceSummary::p95)},
            {"max_error_to_converged", part(method.to_converged, &DistanceSummary::max)},
            {"teacher_forced_error", part(method.teacher_forced, &DistanceSummary::mean)},
            {"teacher_forced_p95", part(method.teacher_forced, &DistanceSummary::p95)},
            {"normal_error_degrees", method.normal_error_degrees},
            {"p95_normal_error_degrees", method.p95_normal_error_degrees},
            {"max_stretch", method.max_stretch},
            {"p99_strain", method.p99_strain},
            {"stretch_energy", method.stretch_energy},
            {"bending_energy", method.bending_energy},
            {"wrinkle_energy", method.wrinkle_energy},
            {"flicker", method.flicker},
            {"intersections", counted(&ContactCounts::intersections)},
            {"intersecting_frames", counted(&ContactCounts::intersecting_frames)},
            {"penetrations", counted(&ContactCounts::penetrations)},
            {"penetrating_faces", counted(&ContactCounts::penetrating_faces)},
            {"penetrating_frames", counted(&ContactCounts::penetrating_frames)},
            {"speedup", method.speedup}};
}

std::vector<std::string> warnings(const EvaluateReport& report) {
    std::vector<std::string> sentences;
    if (report.cpu_share < least_cpu_share)
        sentences.push_back(fmt::format(
            "the machine was busy: one of the runs had a core for only {:.0f} % of its time, which slows long frames "
            "more than short ones, so costs and speed-ups are not to be trusted",
            100 * report.cpu_share));
    if (report.converged && !report.converged->note.empty())
        sentences.push_back(fmt::format("the converged solution is not quite: {}", report.converged->note));
    return sentences;
}

std::string to_json(const EvaluateReport& report) {
    using Json = nlohmann::ordered_json;
    Json methods = Json::array();
    for (const MethodFigures& method : report.methods) {
        Json& entry = methods.emplace_back(Json{{"name", method.name}});
        for (const auto& [name, value] : figures_of(method)) entry[name] = value ? Json(*value) : Json();
    }
    return Json{{"scene", report.scene},         {"frames", report.frames},
                {"threads", report.threads},     {"chaos_floor", report.chaos_floor},
                {"cpu_share", report.cpu_share}, {"methods", std::move(methods)}}
        .dump();
}

std::string to_csv(const EvaluateReport& report) {
    std::string text = "name";
    for (const NamedFigure& figure : figures_of({})) text += "," + figure.name;
    text += "\n";
    for (const MethodFigures& method : report.methods) {
        text += method.name;
        for (const NamedFigure& figure : figures_of(method))
            text += figure.value ? fmt::format(",{:.9g}", *figure.value) : ",";
        text += "\n";
    }
    return text;
}

std::string curves_csv(const EvaluateReport& report) {
    std::string text = "frame,chaos_floor";
    for (const MethodFigures& method : report.methods) text += "," + method.name;
    text += "\n";
    const auto value = [](const std::vector<double>& curve, size_t frame) {
        return frame < curve.size() ? fmt::format(",{:.9g}", curve[frame]) : ",";
    };
    for (size_t frame = 0; frame < report.chaos_curve.size(); ++frame) {
        text += fmt::format("{}", frame + 1) + value(report.chaos_curve, frame);
        for (const MethodFigures& method : report.methods) text += value(method.curve_to_full, frame);
        text += "\n";
    }
    return text;
}

namespace {

std::string pair(const std::optional<double>& first, const std::optional<double>& second, double scale, int digits) {
    return first && second ? cell(first, scale, digits) + " / " + cell(second, scale, digits) : "-";
}

std::string distance_table(const EvaluateReport& report) {
    constexpr const char* row = "{:<22} {:>17} {:>9} {:>8} {:>18} {:>18} {:>9}\n";
    std::string text =
        fmt::format(row, "", "ms per frame", "inference", "", "cm to full", "cm to converged", "teacher");
    text += fmt::format(row, "method", "median / p99", "ms", "speedup", "mean / p95", "mean / p95", "forced cm");
    const auto distances = [](const Summary& summary) {
        return pair(part(summary, &evaluation::DistanceSummary::mean), part(summary, &evaluation::DistanceSummary::p95),
                    100, 3);
    };
    for (const MethodFigures& method : report.methods)
        text += fmt::format(row, method.name, pair(method.ms_per_frame, method.p99_ms_per_frame, 1, 3),
                            cell(method.ms_inference, 1, 3), cell(method.speedup, 1, 2), distances(method.to_full),
                            distances(method.to_converged),
                            cell(part(method.teacher_forced, &evaluation::DistanceSummary::mean), 100, 4));
    return text;
}

// "12 (3)": the count, and in how many frames.
std::string count_cell(const std::optional<ContactCounts>& counts, long ContactCounts::*all,
                       long ContactCounts::*frames) {
    return counts ? fmt::format("{} ({})", (*counts).*all, (*counts).*frames) : "-";
}

std::string look_table(const EvaluateReport& report) {
    constexpr const char* row = "{:<22} {:>15} {:>8} {:>8} {:>9} {:>8} {:>16} {:>16} {:>16}\n";
    std::string text = fmt::format(row, "", "normals °", "largest", "strain %", "wrinkle", "", "intersections",
                                   "vertices inside", "faces cut");
    text += fmt::format(row, "method", "mean / p95", "stretch", "p99", "energy", "flicker", "(frames)", "(frames)",
                        "(frames)");
    for (const MethodFigures& method : report.methods)
        text += fmt::format(
            row, method.name, pair(method.normal_error_degrees, method.p95_normal_error_degrees, 1, 2),
            cell(method.max_stretch, 1, 3), cell(method.p99_strain, 100, 2), cell(method.wrinkle_energy, 1, 3),
            cell(method.flicker, 1, 3),
            count_cell(method.contacts, &ContactCounts::intersections, &ContactCounts::intersecting_frames),
            count_cell(method.contacts, &ContactCounts::penetrations, &ContactCounts::penetrating_frames),
            count_cell(method.contacts, &ContactCounts::penetrating_faces, &ContactCounts::penetrating_frames));
    return text;
}

}  // namespace

std::string to_table(const EvaluateReport& report) {
    std::string text = fmt::format("{}: {} particles, {} frames, {} thread{}; chaos floor {:.3g} cm\n\n", report.scene,
                                   report.particles, report.frames, report.threads, report.threads == 1 ? "" : "s",
                                   100 * report.chaos_floor);
    text += distance_table(report) + "\n" + look_table(report);
    for (const MethodFigures& method : report.methods) {
        const FrameCost cost{method.ms_per_frame.value_or(0), method.mean_ms_per_frame.value_or(0)};
        if (cost.is_uneven()) text += fmt::format("  {}: {}\n", method.name, cost.in_words());
    }
    for (const MethodFigures& method : report.methods)
        if (!method.note.empty()) text += fmt::format("  {}: {}\n", method.name, method.note);
    return text;
}

}  // namespace tulle::workflows
