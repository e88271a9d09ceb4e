// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/pareto.h"

#include "tulle/core/error.h"
#include "tulle/scene/simulation.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::workflows {

namespace {

struct Stiffness {
    const char* name;
    double factor;
};
constexpr std::array<Stiffness, 3> stiffnesses = {{{"soft", 0.3}, {"medium", 1}, {"stiff", 4}}};

scene::Scene with_stiffness(const scene::Scene& scene, double factor) {
    scene::Overrides overrides;
    if (const auto* springs = std::get_if<physics::GridMaterial>(&scene.cloth.material)) {
        overrides = {fmt::format("cloth.stretch.stiffness={:.17e}", factor * springs->stretch.stiffness),
                     fmt::format("cloth.shear.stiffness={:.17e}", factor * springs->shear.stiffness)};
    } else {
        const auto& fabric = std::get<scene::Fabric>(scene.cloth.material);
        overrides = {fmt::format("cloth.membrane.stretch={:.17e}", factor * fabric.stretch)};
        if (std::holds_alternative<scene::GridShape>(scene.cloth.shape))
            overrides.push_back(fmt::format("cloth.membrane.shear={:.17e}", factor * fabric.shear));
    }
    return scene::parse_scene(scene.text, scene.source, scene.folder, overrides);
}

bool has_iterations(const std::string& method) {
    try {
        return scene::parse_method(method + ":2").variant == "2";
    } catch (const Error&) {
        return false;
    }
}

// What can run; the rest is named with its reason.
std::vector<std::string> runnable_methods(const scene::Scene& scene, const std::string& truth,
                                          std::vector<SkippedMethod>& skipped) {
    std::vector<std::string> methods;
    for (const std::string& method : pareto_methods(truth)) {
        try {
            const scene::Simulation simulation(scene, scene::parse_method(method));
            methods.push_back(method);
        } catch (const Error& error) {
            skipped.push_back({method, error.what()});
        }
    }
    return methods;
}

// Between two points of a curve both of whose axes are logarithmic; beyond its last point, that point: more time than
// the curve needs is no worse.
std::optional<double> error_at(const std::vector<ParetoPoint>& curve, double milliseconds) {
    if (curve.empty() || milliseconds < curve.front().ms_per_frame) return {};
    for (size_t i = 0; i + 1 < curve.size(); ++i) {
        const ParetoPoint &a = curve[i], &b = curve[i + 1];
        if (milliseconds > b.ms_per_frame || b.ms_per_frame <= a.ms_per_frame) continue;
        const double share = std::log(milliseconds / a.ms_per_frame) / std::log(b.ms_per_frame / a.ms_per_frame);
        return a.mean_error_to_converged * std::pow(b.mean_error_to_converged / a.mean_error_to_converged, share);
    }
    return curve.back().mean_error_to_converged;
}

void compare_with_truth(const std::string& truth, std::vector<ParetoPoint>& points) {
    std::vector<ParetoPoint> curve;
    std::copy_if(points.begin(), points.end(), std::back_inserter(curve),
                 [&](const ParetoPoint& point) { return scene::parse_method(point.method).name == truth; });
    std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.ms_per_frame < b.ms_per_frame; });
    for (size_t i = 1; i < curve.size(); ++i)  // a sceptic takes the best that the time allows
        curve[i].mean_error_to_converged =
            std::min(curve[i].mean_error_to_converged, curve[i - 1].mean_error_to_converged);
    for (ParetoPoint& point : points) point.truth_at_same_cost = error_at(curve, point.ms_per_frame);
}

ParetoPanel to_panel(const Stiffness& stiffness, const std::string& truth, const EvaluateReport& report,
                     std::vector<SkippedMethod>& skipped) {
    ParetoPanel panel{.name = stiffness.name, .stiffness_factor = stiffness.factor, .chaos_floor = report.chaos_floor};
    for (const MethodFigures& method : report.methods) {
        if (method.ms_per_frame && method.to_converged)
            panel.points.push_back({.method = method.name,
                                    .ms_per_frame = *method.ms_per_frame,
                                    .mean_error_to_converged = method.to_converged->mean,
                                    .p95_error_to_converged = method.to_converged->p95,
                                    .truth_at_same_cost = {}});
        else
            skipped.push_back({method.name, fmt::format("on {} cloth it {}", stiffness.name, method.note)});
    }
    compare_with_truth(truth, panel.points);
    return panel;
}

}  // namespace

std::vector<std::string> pareto_methods(const std::string& truth) {
    std::vector<std::string> methods;
    for (const int iterations : {2, 3, 5, 8, 12, 20}) methods.push_back(fmt::format("{}:{}", truth, iterations));
    if (!has_iterations(truth)) methods = {truth};
    for (const char* other : {"xpbd:5", "xpbd:10", "xpbd:20", "mass_spring", "bilinear", "bicubic", "miniature",
                              "miniature:paper", "hierarchy", "hierarchy:paper"})
        methods.emplace_back(other);
    return methods;
}

ParetoReport evaluate_pareto(const scene::Scene& scene, const ParetoSettings& settings) {
    ParetoReport report{.truth = scene::parse_method(settings.truth).name};
    const std::vector<std::string> methods = runnable_methods(scene, report.truth, report.skipped);
    for (size_t i = 0; i < stiffnesses.size() && !report.stopped; ++i) {
        const Stiffness& stiffness = stiffnesses[i];
        EvaluateSettings run{
            .methods = methods, .truth = report.truth, .frames = settings.frames, .folder = {}, .motion = false};
        run.on_frame = [&](const EvaluateProgress& progress) {
            const long before = static_cast<long>(i) * progress.total;
            return !settings.on_frame ||
                   settings.on_frame(fmt::format("{}, {}", stiffness.name, progress.method), before + progress.done,
                                     static_cast<long>(stiffnesses.size()) * progress.total);
        };
        const EvaluateReport evaluated = evaluate(with_stiffness(scene, stiffness.factor), run);
        report.stopped = evaluated.stopped;
        report.cpu_share = std::min(report.cpu_share, evaluated.cpu_share);
        report.panels.push_back(to_panel(stiffness, report.truth, evaluated, report.skipped));
    }
    return report;
}

}  // namespace tulle::workflows
