// SPDX-License-Identifier: Apache-2.0
// A chaotic motion cannot be predicted, but what it is like can. So it is run from many starts that differ by a
// millimetre, and its figures are compared as those of ensembles. docs/evaluation.md explains each.
#pragma once

#include "tulle/evaluation/interval.h"
#include "tulle/workflows/evaluate.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

inline constexpr double start_move = 1e-3;  // [m] the largest, of the start of each seed
inline constexpr int fewest_seeds = 4;      // two in each half

struct EnsembleSettings {
    std::vector<std::string> methods;
    std::string truth = "admm";
    int frames = 0;  // 0: the scene's
    int seeds = 16;
    std::function<bool(const EvaluateProgress&)> on_frame = {};  // false stops
};

struct EnsembleFigure {
    std::string name;  // as in a report of one run
    std::optional<evaluation::Interval> value;
};

struct EnsembleMethod {
    std::string name;
    std::vector<EnsembleFigure> figures;
    int diverged = 0;  // seeds, which have no figures
    // [s] until the mean distance to the full run of the same seed exceeds twice the chaos floor; all of the time if it
    // never does.
    std::optional<evaluation::Interval> horizon;
    int within_floor = 0;  // seeds that never exceed it
    // From the full ensemble; for the full one itself, from one half of its seeds to the other.
    std::optional<evaluation::ShapeDistances> distances;
    std::vector<double> curve_to_full;  // [m] mean over the seeds, from frame 1
    evaluation::ShapeDistributions shapes;
};

struct EnsembleReport {
    std::string scene;
    int particles = 0;
    long frames = 0;
    int threads = 0;
    int seeds = 0;
    double frame_time = 0;             // [s]
    evaluation::Interval chaos_floor;  // [m] mean distance of two full runs of different seeds
    std::vector<double> chaos_curve;   // [m] mean over the seeds, from frame 1
    EnsembleMethod full;
    std::vector<EnsembleMethod> methods;
    double cpu_share = 1;  // see EvaluateReport
    bool stopped = false;
};

// Evaluates the methods once for every seed, one seed after the other; of each only a few numbers a frame are kept. All
// methods of a seed start alike.
EnsembleReport evaluate_ensemble(const scene::Scene& scene, const EnsembleSettings& settings);

std::string to_json(const EnsembleReport& report);
std::string to_csv(const EnsembleReport& report);    // one line per method: every figure and its half width
std::string to_table(const EnsembleReport& report);  // for a terminal
std::string to_html(const EnsembleReport& report);

}  // namespace tulle::workflows
