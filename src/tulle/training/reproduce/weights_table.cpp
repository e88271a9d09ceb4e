// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/reproduce/weights_table.h"

#include "tulle/methods/upscaling/upscaling_model.h"
#include "tulle/scene/families/upscaling/plan.h"

namespace tulle::training {

using methods::Features;

namespace {

// Which sequences, without the analytic surfaces that features which know places cannot learn from.
std::string sequences_of(const std::string& data) {
    std::string sequences = data.substr(0, data.find(';'));
    constexpr std::string_view surfaces = ", developable surfaces";
    if (const size_t at = sequences.find(surfaces); at != std::string::npos) sequences.erase(at, surfaces.size());
    return sequences;
}

}  // namespace

void weights_table(const Reproduction& run, Page& page, const std::vector<ShippedWeights>& shipped) {
    page.heading("Weights");
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> unequal;
    for (const ShippedWeights& weights : shipped) {
        std::vector<std::string> learnt_from;
        for (const Features features : {Features::Paper, Features::Canonical}) {
            const std::string name = scene::weights_name(weights.method, weights.scene, weights.factor, features);
            const auto file = run.project() / "models" / name;
            if (!std::filesystem::exists(file)) {
                rows.push_back({name, "–", "–", "–"});
                continue;
            }
            const methods::UpscalingModel model = methods::load_upscaling_model(file);
            learnt_from.push_back(sequences_of(model.card.data));
            const std::vector<int> sizes = model.networks.begin()->second.sizes();
            rows.push_back({name, fmt::format("{}", fmt::join(sizes, "-")), model.card.data,
                            fmt::format("{:.1f}", model.card.training_minutes)});
        }
        if (learnt_from.size() == 2 && learnt_from[0] != learnt_from[1])
            unequal.push_back(
                fmt::format("{} of {} ({}; {})", weights.method, weights.scene, learnt_from[0], learnt_from[1]));
    }
    page.table({"file in models/", "network", "data", "minutes"}, rows);
    page.text(unequal.empty()
                  ? "As their cards say: both features learnt from the same sequences, canonical ones from developable "
                    "surfaces besides, which teach nothing to features that know places."
                  : fmt::format("As their cards say. The two features did not learn from the same sequences in: {}.",
                                fmt::join(unequal, "; ")));
}

}  // namespace tulle::training
