// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluation_files.h"

#include "tulle/core/atomic_file.h"
#include "tulle/render/image.h"

namespace tulle::workflows {

void prepare_report(const std::filesystem::path& folder, const ReportParts& parts) {
    for (const ReportFile& file : {report_json, report_csv, curves_file, report_html})
        prepare_target(folder / file.name, file.format);
    if (parts.pictures) prepare_target(folder / "frame.png", render::png_format);
    if (!parts.pareto) return;
    for (const ReportFile& file : {pareto_svg, pareto_csv}) prepare_target(folder / file.name, file.format);
}

void prepare_ensemble(const std::filesystem::path& folder) {
    std::filesystem::create_directories(folder);
    for (const ReportFile& file : {ensemble_json, ensemble_csv, ensemble_html})
        prepare_target(folder / file.name, file.format);
}

}  // namespace tulle::workflows
