// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"

#include <filesystem>

namespace tulle::workflows {

// A file of a report, which begins as ours do.
struct ReportFile {
    const char* name;
    FileFormat format;
};

inline constexpr ReportFile report_json{"report.json", {"a report of tulle evaluate", "{\"scene\":"}};
inline constexpr ReportFile report_csv{"report.csv", {"a report of tulle evaluate", "name,ms_per_frame,"}};
inline constexpr ReportFile curves_file{"curves.csv", {"a report of tulle evaluate", "frame,chaos_floor"}};
inline constexpr ReportFile pareto_svg{"pareto.svg", {"a drawing (SVG)", "<svg xmlns="}};
inline constexpr ReportFile pareto_csv{"pareto.csv", {"a report of tulle evaluate", "cloth,stiffness_factor,method,"}};
inline constexpr ReportFile report_html{
    "report.html", {"a report of tulle evaluate", "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"}};
inline constexpr ReportFile ensemble_json{"ensemble.json", {"an ensemble of tulle evaluate", "{\"scene\":"}};
inline constexpr ReportFile ensemble_csv{"ensemble.csv", {"an ensemble of tulle evaluate", "name,seeds,"}};
inline constexpr ReportFile ensemble_html{
    "ensemble.html", {"an ensemble of tulle evaluate", "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"}};

// What a report has beside its tables.
struct ReportParts {
    bool pareto = false;
    bool pictures = false;
};

// Throws an Error unless every file of a report can be written into the folder, which is made.
void prepare_report(const std::filesystem::path& folder, const ReportParts& parts);
// Likewise for an ensemble.
void prepare_ensemble(const std::filesystem::path& folder);

}  // namespace tulle::workflows
