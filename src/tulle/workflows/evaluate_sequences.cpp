// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/evaluate_sequences.h"

#include "tulle/core/error.h"
#include "tulle/evaluation/teacher_forcing.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/families.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>

namespace tulle::workflows {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> chosen_files(const SequencesSettings& settings) {
    const std::vector<fs::path> files = datasets::sequence_files(settings.folder);
    if (!settings.part) return files;
    const datasets::Split split = datasets::split_sequences(files.size(), settings.split_seed);
    std::vector<fs::path> chosen;
    for (const size_t index : *settings.part == datasets::Part::Training     ? split.training
                              : *settings.part == datasets::Part::Validation ? split.validation
                                                                             : split.test)
        chosen.push_back(files[index]);
    return chosen;
}

evaluation::DistanceSummary error_of(const scene::Scene& scene, const physics::ClothModel& model,
                                     const std::string& name, const datasets::Sequence& sequence) {
    const scene::Method method = scene::parse_method(name);
    const physics::World nothing;  // upscaling does not look at it
    const std::optional<scene::Teacher> teacher = scene::family_of(method).teacher({scene, model, nothing, method});
    if (!teacher) throw Error("method '{}' does not upscale, so it cannot be measured on recorded sequences", name);
    return evaluation::teacher_forced_error(*teacher->upscaler, teacher->fine_vertices, sequence);
}

}  // namespace

SequencesReport evaluate_sequences(const scene::Scene& scene, const SequencesSettings& settings) {
    if (settings.methods.empty()) throw Error("name at least one method to evaluate, such as bicubic");
    SequencesReport report{.scene = scene.name, .files = {}, .methods = {}};
    for (const std::string& name : settings.methods)
        report.methods.push_back({.name = scene::parse_method(name).to_string(), .errors = {}, .p95 = {}});
    const std::vector<fs::path> files = chosen_files(settings);
    for (const fs::path& file : files) {
        const datasets::Sequence sequence = datasets::read_sequence(file);
        const scene::Scene own =
            scene::parse_scene(sequence.scene_text, file.string(), scene.folder, settings.overrides);
        if (own.name != scene.name)
            throw Error("'{}' is a sequence of the scene '{}', not of '{}'", file.string(), own.name, scene.name);
        const physics::ClothModel model = scene::make_model(own);
        for (SequencesMethod& method : report.methods) {
            const evaluation::DistanceSummary error = error_of(own, model, method.name, sequence);
            method.errors.push_back(error.mean);
            method.p95.push_back(error.p95);
        }
        report.files.push_back(file.filename().string());
        const auto done = static_cast<long>(report.files.size()), total = static_cast<long>(files.size());
        if (settings.on_sequence && !settings.on_sequence(done, total) && done < total) {
            report.stopped = true;
            return report;
        }
    }
    return report;
}

Spread spread_of(const std::vector<double>& values) {
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()), *low, *high};
}

Spread ratios_of(const SequencesReport& report, const SequencesMethod& method) {
    const std::vector<double>& baseline = report.methods.front().errors;
    std::vector<double> ratios;
    for (size_t i = 0; i < baseline.size(); ++i) ratios.push_back(method.errors[i] / baseline[i]);
    Spread spread = spread_of(ratios);
    spread.mean = spread_of(method.errors).mean / spread_of(baseline).mean;
    return spread;
}

std::string to_json(const SequencesReport& report) {
    using Json = nlohmann::ordered_json;
    Json methods = Json::array();
    for (const SequencesMethod& method : report.methods) {
        const Spread errors = spread_of(method.errors), ratios = ratios_of(report, method);
        methods.push_back({{"name", method.name},
                           {"mean_error", errors.mean},
                           {"min_error", errors.min},
                           {"max_error", errors.max},
                           {"ratio", ratios.mean},
                           {"min_ratio", ratios.min},
                           {"max_ratio", ratios.max},
                           {"errors", method.errors},
                           {"p95_errors", method.p95}});
    }
    return Json{{"scene", report.scene},
                {"baseline", report.methods.front().name},
                {"files", report.files},
                {"methods", std::move(methods)}}
        .dump();
}

std::string to_table(const SequencesReport& report) {
    std::string text = fmt::format("{}: {} sequences, teacher-forced\n\n", report.scene, report.files.size());
    constexpr const char* row = "{:<22} {:>10} {:>19} {:>10} {:>17}\n";
    text += fmt::format(row, "", "mean", "smallest – largest", "times", "smallest – largest");
    text += fmt::format(row, "method", "cm", "cm", report.methods.front().name, "");
    for (const SequencesMethod& method : report.methods) {
        const Spread errors = spread_of(method.errors), ratios = ratios_of(report, method);
        text += fmt::format(row, method.name, fmt::format("{:.4f}", 100 * errors.mean),
                            fmt::format("{:.4f} – {:.4f}", 100 * errors.min, 100 * errors.max),
                            fmt::format("{:.3f}", ratios.mean), fmt::format("{:.3f} – {:.3f}", ratios.min, ratios.max));
    }
    return text;
}

}  // namespace tulle::workflows
