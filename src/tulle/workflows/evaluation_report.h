// SPDX-License-Identifier: Apache-2.0
// An evaluation as text: for programs, for spreadsheets and for people.
#pragma once

#include "tulle/workflows/evaluate.h"
#include "tulle/workflows/pareto.h"

#include <optional>
#include <string>
#include <vector>

namespace tulle::workflows {

// A figure of a method under the name it has in files.
struct NamedFigure {
    std::string name;
    std::optional<double> value;
};
std::vector<NamedFigure> figures_of(const MethodFigures& method);

// What to doubt in the report, one sentence each.
std::vector<std::string> warnings(const EvaluateReport& report);

// {"scene", "frames", "threads", "chaos_floor", "cpu_share", "methods": [{"name", …}]}, distances in metres, null where
// a figure has no meaning.
std::string to_json(const EvaluateReport& report);
std::string to_csv(const EvaluateReport& report);      // one line per method
std::string curves_csv(const EvaluateReport& report);  // mean error to full of each frame, one column per method
std::string to_table(const EvaluateReport& report);    // for a terminal

// Everything in one file: table, plots, and pictures, which are PNG files.
std::string to_html(const EvaluateReport& report, const std::optional<ParetoReport>& pareto,
                    const std::vector<std::filesystem::path>& pictures);

}  // namespace tulle::workflows
