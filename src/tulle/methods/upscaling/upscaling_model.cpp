// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/upscaling_model.h"

#include "tulle/core/error.h"
#include "tulle/neural/network_tensors.h"

namespace tulle::methods {

UpscalingModel load_upscaling_model(const std::filesystem::path& file) {
    neural::Model model = neural::read_model(file);
    const ModelCard card = parse_card(model.card, file.string());
    return {.source = file.string(),
            .card = card,
            .part = parse_upscaling_card(card, file.string()),
            .networks = std::move(model.networks)};
}

void save_upscaling_model(const std::filesystem::path& file, const UpscalingModel& model) {
    ModelCard card = model.card;
    card.family = to_json(model.part);
    neural::write_model(file, {.card = to_json(card), .networks = model.networks});
}

void check_fits(const UpscalingModel& model, const Use& use) {
    const UpscalingCard& card = model.part;
    if (model.card.method != use.method)
        throw Error("'{}' was trained for the {} method, not for {}", model.source, model.card.method, use.method);
    if (!use.any_factor && card.factor != use.factor)
        throw Error("'{}' was trained for factor {}, not {}; train one with `factor = {}`", model.source, card.factor,
                    use.factor, use.factor);
    if (is_canonical(card.features)) return;
    if (model.card.scene != use.scene)
        throw Error("'{}' has the paper's absolute features and was trained on '{}': it knows nothing of '{}'",
                    model.source, model.card.scene, use.scene);
    if (!(card.grid == use.grid) || card.factor != use.factor)
        throw Error(
            "'{}' has the paper's absolute features and was trained on {}×{} vertices at factor {}, not on {}×{} at "
            "factor {}",
            model.source, card.grid.rows, card.grid.columns, card.factor, use.grid.rows, use.grid.columns, use.factor);
}

const neural::Network& network_of(const UpscalingModel& model, const std::string& name) {
    const auto found = model.networks.find(name);
    if (found == model.networks.end())
        throw Error("'{}' has no network '{}', which the {} method needs", model.source, name, model.card.method);
    return found->second;
}

}  // namespace tulle::methods
