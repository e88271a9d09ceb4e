// SPDX-License-Identifier: Apache-2.0
// Upscaling on sequences of the full simulation that are already there, above all on those that nothing was trained on.
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/evaluation/metrics.h"
#include "tulle/scene/scene.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

struct SequencesSettings {
    std::filesystem::path folder;                                 // of sequences
    std::optional<datasets::Part> part = datasets::Part::Test;    // none: all of them
    std::uint64_t split_seed = 1;                                 // of the recipe that was trained
    std::vector<std::string> methods;                             // the first is what the others are compared with
    scene::Overrides overrides;                                   // for the scene of every sequence
    std::function<bool(long done, long total)> on_sequence = {};  // false stops
};

struct SequencesMethod {
    std::string name;
    std::vector<double> errors;  // [m] mean distance to the sequence, teacher-forced, of each
    std::vector<double> p95;     // [m]
};

struct SequencesReport {
    std::string scene;
    std::vector<std::string> files;
    std::vector<SequencesMethod> methods;
    bool stopped = false;
};

// How far each method is from the sequences when it is given their own coarse vertices, frame by frame. The folder is
// split as training does. Throws an Error that names the method if one does not upscale, or the file if a sequence is
// not of the scene.
SequencesReport evaluate_sequences(const scene::Scene& scene, const SequencesSettings& settings);

// The mean over all sequences, and the smallest and largest of them.
struct Spread {
    double mean = 0, min = 0, max = 0;
};
Spread spread_of(const std::vector<double>& values);
// Of the errors over those of the first method; the mean is that of the mean errors.
Spread ratios_of(const SequencesReport& report, const SequencesMethod& method);

// {"scene", "baseline", "files", "methods": [{"name", "mean_error", "min_error", "max_error", "ratio", "min_ratio",
// "max_ratio", "errors"}]}, distances in metres.
std::string to_json(const SequencesReport& report);
std::string to_table(const SequencesReport& report);

}  // namespace tulle::workflows
