// SPDX-License-Identifier: Apache-2.0
// What reproducing a paper's tables shares: data, trials, evaluations and pictures, in full or quick.
#pragma once

#include "tulle/training/reproduce/page.h"
#include "tulle/training/reproduce/stills.h"
#include "tulle/training/reproduce/trial.h"
#include "tulle/workflows/evaluate.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tulle::training {

struct ReproduceSettings {
    bool quick = false;                   // every table once, tiny: to see that all of it runs
    int seeds = 3;                        // of papers whose rows are means over several trainings
    int poses = 0;                        // that garments are learnt from, those that are missing made first; 0: 4,250
    double minutes = 0;                   // begin no more trainings after so many; 0: all of them
    double minutes_per_cell = 10;         // of papers whose tables compare networks: at most so many each
    std::filesystem::path project = ".";  // where scenes/, models/ and data/ are
    std::filesystem::path output = "docs/results";
    std::function<bool(const std::string& what, double fraction)> on_progress = {};  // false stops
};

class Reproduction {
public:
    explicit Reproduction(ReproduceSettings settings) : settings_(std::move(settings)) {}

    const ReproduceSettings& settings() const { return settings_; }
    bool quick() const { return settings_.quick; }
    const std::filesystem::path& output() const { return settings_.output; }
    const std::filesystem::path& project() const { return settings_.project; }
    double minutes_per_cell() const { return quick() ? 0.1 / 60 : settings_.minutes_per_cell; }
    int frames(int full) const { return quick() ? 6 : full; }

    // Sequences of a scene by its sweep in models/; loaded once.
    const datasets::TrainingData& data(const std::string& scene);
    // A cell of a table. Those that are finished are kept in data/reproduce/, for the next time.
    TrialResult trial(const std::string& what, const datasets::TrainingData& data, const Trial& trial);

    // Runs methods on a scene beside the truth; those that cannot run, for want of weights say, are left out.
    workflows::EvaluateReport evaluate(const std::string& scene, const std::vector<std::string>& methods, int frames,
                                       const scene::Overrides& overrides = {}, const std::string& truth = "admm");
    // Both of the last evaluation, whose caches the next one replaces. The name of the picture is returned.
    std::string picture(const workflows::EvaluateReport& report, const std::vector<std::string>& methods,
                        const std::string& name) const;
    std::string picture(const std::vector<Still>& stills, const std::string& name) const;

    // Throws an Error if the user wants to stop.
    void progress(const std::string& what, double fraction) const;

private:
    ReproduceSettings settings_;
    std::map<std::string, datasets::TrainingData> data_;
};

// Figures of one method in a report; throws an Error if it was left out.
const workflows::MethodFigures& figures(const workflows::EvaluateReport& report, const std::string& method);
bool has(const workflows::EvaluateReport& report, const std::string& method);

// Cells of tables: "–" where the method was left out.
std::string error_text(const workflows::EvaluateReport& report, const std::string& method);    // [m] free-running
std::string teacher_text(const workflows::EvaluateReport& report, const std::string& method);  // [m] teacher-forced
std::string ms_text(const workflows::EvaluateReport& report, const std::string& method);       // [ms]

// The panel of a method in the last evaluation.
Still still_of(const workflows::EvaluateReport& report, const std::string& method, const std::string& title,
               int step = 1);

// A paper, and what makes docs/results/<name>.md of it.
struct Paper {
    std::string name;
    void (*reproduce)(Reproduction& reproduction);
};
const std::vector<Paper>& papers();

void reproduce_miniature(Reproduction& reproduction);
void reproduce_hierarchy(Reproduction& reproduction);
void reproduce_force_cell(Reproduction& reproduction);
void reproduce_coercing(Reproduction& reproduction);

}  // namespace tulle::training
