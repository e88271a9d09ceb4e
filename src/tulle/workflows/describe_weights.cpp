// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/describe_weights.h"

#include "tulle/core/error.h"
#include "tulle/neural/weights_file.h"
#include "tulle/scene/families/families.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tulle::workflows {

using nlohmann::json;

namespace {

std::string problem_of(const methods::ModelCard& card, const std::string& source) {
    const scene::Family* family = scene::find_family(card.method);
    if (!family) return fmt::format("this program knows no method '{}'", card.method);
    try {
        family->check_card(card, source);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

WeightsSummary describe_weights(const std::filesystem::path& path) {
    const neural::WeightsFile file = neural::read_weights(path);
    WeightsSummary summary{.path = path.string(), .card = methods::parse_card(file.card, path.string())};
    for (const auto& [name, tensor] : file.tensors) summary.tensors[name] = tensor.shape;
    summary.problem = problem_of(summary.card, summary.path);
    return summary;
}

std::string to_text(const WeightsSummary& s) {
    std::string text = fmt::format("{}: weights of {} for '{}'\n", s.path, s.card.method, s.card.scene);
    text += fmt::format("  made       {} by `{}`, {:.1f} minutes of training\n", s.card.date, s.card.command,
                        s.card.training_minutes);
    text += fmt::format("  data       {}\n", s.card.data);
    for (const auto& [what, error] : s.card.test_error)
        text += fmt::format("  test       {:<24} {:.4g}\n", what, error);
    const json family = json::parse(s.card.family);
    for (const auto& [key, value] : family.items()) text += fmt::format("  {:<10} {}\n", key, value.dump());
    for (const auto& [name, shape] : s.tensors)
        text += fmt::format("  tensor     {:<28} {}\n", name, fmt::join(shape, "x"));
    return text + "  sound      " + (s.problem.empty() ? "yes" : "no: " + s.problem);
}

std::string to_json(const WeightsSummary& s) {
    json card = json::parse(to_json(s.card));
    card["file"] = s.path;
    card["kind"] = "weights";
    card["tensors"] = s.tensors;
    card["sound"] = s.problem.empty();
    if (!s.problem.empty()) card["problem"] = s.problem;
    return card.dump(2);
}

}  // namespace tulle::workflows
