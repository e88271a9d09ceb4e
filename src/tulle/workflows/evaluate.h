// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/evaluation/metrics.h"
#include "tulle/evaluation/shape_distributions.h"
#include "tulle/scene/scene.h"
#include "tulle/workflows/contact_counts.h"
#include "tulle/workflows/evaluation_files.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct EvaluateProgress {
    std::string method;  // what just took a frame
    long done = 0;       // frames of all runs together
    long total = 0;
};

struct EvaluateSettings {
    std::vector<std::string> methods;   // "admm:5", "bicubic", "miniature:paper", …
    std::string truth = "admm";         // the full run, which all are compared with
    int frames = 0;                     // after the first, which is the start; 0: the scene's
    bool converged = true;              // compare with newton too, which is slow
    std::filesystem::path folder;       // for a cache of every run; empty: none
    std::optional<ReportParts> report;  // will be written there: refused now if it cannot be
    bool motion = true;                 // measure shapes, flicker and contact too, not only costs and distances
    // Where the second full run starts, whose distance to the first is the chaos floor; none: chaos_noise away.
    std::optional<Positions> floor_start = {};
    std::function<bool(const EvaluateProgress&)> on_frame = {};  // false stops
};

// What is known of one method; none where a figure has no meaning. docs/evaluation.md explains each.
struct MethodFigures {
    std::string name;
    std::optional<double> ms_per_frame, ms_simulation, ms_inference;       // medians
    std::optional<double> mean_ms_per_frame, p99_ms_per_frame;             // what a few slow frames show in
    std::optional<evaluation::DistanceSummary> to_full, to_converged;      // free-running
    std::optional<evaluation::DistanceSummary> teacher_forced;             // to the full run
    std::optional<double> normal_error_degrees, p95_normal_error_degrees;  // to the full run
    std::optional<double> max_stretch, p99_strain;                         // over all frames
    std::optional<double> stretch_energy, bending_energy;                  // [J] means over the frames
    std::optional<double> flicker;          // high-passed accelerations over those of the full run
    std::optional<double> wrinkle_energy;   // of what the coarse cloth cannot hold, over that of the full run
    std::optional<ContactCounts> contacts;  // over all frames
    evaluation::ShapeDistributions shapes;  // of all frames
    std::optional<double> speedup;          // to the full run
    std::vector<double> curve_to_full, curve_to_converged;  // [m] mean of each frame, from frame 1
    std::string note;             // what a user should know, such as where it diverged; empty: nothing
    std::filesystem::path cache;  // empty: none
};

// A thread that has a core to itself uses nearly all of the time that passes; less of it, and another program took
// turns.
inline constexpr double least_cpu_share = 0.7;

struct EvaluateReport {
    std::string scene;
    int particles = 0;
    long frames = 0;
    int threads = 0;
    double frame_time = 0;                   // [s]
    double chaos_floor = 0;                  // [m] mean distance of two full runs from nearly the same start
    std::vector<double> chaos_curve;         // [m] of each frame, from frame 1
    MethodFigures full;                      // by the method that is the truth
    std::optional<MethodFigures> converged;  // newton
    std::vector<MethodFigures> methods;      // in the order asked for
    double cpu_share = 1;                    // processor time over passed time, of the run that got the least
    bool stopped = false;                    // by on_frame; then no figure is whole
};

inline constexpr double chaos_noise = 1e-9;          // [m]
inline constexpr double converged_tolerance = 1e-8;  // of newton, relative

// Runs every method freely beside the full run, the converged `newton` and the chaos floor, and measures them. The
// runs take turns, ten frames each, so that whatever else the machine does slows all of them alike. Throws an Error
// that names the method if one cannot run on the scene, before anything is simulated.
EvaluateReport evaluate(const scene::Scene& scene, const EvaluateSettings& settings);

}  // namespace tulle::workflows
