// SPDX-License-Identifier: Apache-2.0
// The sceptic's question: for the same milliseconds, would the full solver with fewer iterations have done better?
#pragma once

#include "tulle/workflows/evaluate.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct ParetoSettings {
    int frames = 0;              // 0: the scene's
    std::string truth = "admm";  // the full solver, whose iterations are made fewer
    // `what`: the stiffness and the method that runs; false stops.
    std::function<bool(const std::string& what, long done, long total)> on_frame = {};
};

struct ParetoPoint {
    std::string method;
    double ms_per_frame = 0;             // median
    double mean_error_to_converged = 0;  // [m]
    double p95_error_to_converged = 0;   // [m]
    // [m] error of the full solver with as many iterations as the milliseconds allow; none if the fewest cost more.
    std::optional<double> truth_at_same_cost;
};

struct SkippedMethod {
    std::string method;
    std::string reason;
};

struct ParetoPanel {
    std::string name;                 // "soft", "medium", "stiff"
    double stiffness_factor = 1;      // of the scene's stretch and shear stiffness
    double chaos_floor = 0;           // [m]
    std::vector<ParetoPoint> points;  // the full solver first, from few iterations to many
};

struct ParetoReport {
    std::string truth;
    double cpu_share = 1;  // see EvaluateReport
    std::vector<ParetoPanel> panels;
    std::vector<SkippedMethod> skipped;  // because they have no weights, or cannot run on the scene
    bool stopped = false;
};

// The methods it compares, in the order of the points.
std::vector<std::string> pareto_methods(const std::string& truth);

ParetoReport evaluate_pareto(const scene::Scene& scene, const ParetoSettings& settings);

std::string to_svg(const ParetoReport& report);  // the panels side by side
std::string to_csv(const ParetoReport& report);

}  // namespace tulle::workflows
