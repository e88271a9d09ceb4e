// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/trained_model.h"

#include "tulle/core/error.h"
#include "tulle/methods/cascade/cascade_upscaler.h"
#include "tulle/methods/hierarchy/triangle_upscaler.h"
#include "tulle/methods/miniature/patch_upscaler.h"

#include <algorithm>

namespace tulle::methods {

namespace {

const neural::Network& network(const TrainedModel& model, const std::string& name) {
    const auto found = model.networks.find(name);
    if (found == model.networks.end())
        throw Error("'{}' has no network '{}', which the {} method needs", model.source, name, model.card.method);
    return found->second;
}

}  // namespace

TrainedModel load_trained_model(const std::filesystem::path& file) {
    neural::Model model = neural::read_model(file);
    return {
        .source = file.string(), .card = parse_card(model.card, file.string()), .networks = std::move(model.networks)};
}

void save_trained_model(const std::filesystem::path& file, const TrainedModel& model) {
    neural::write_model(file, {.card = to_json(model.card), .networks = model.networks});
}

void check_fits(const TrainedModel& model, const Use& use) {
    const ModelCard& card = model.card;
    if (card.method != use.method)
        throw Error("'{}' was trained for the {} method, not for {}", model.source, card.method, use.method);
    if (card.method == "miniature" && card.factor != use.factor)
        throw Error("'{}' was trained for factor {}, not {}; train one with `factor = {}`", model.source, card.factor,
                    use.factor, use.factor);
    if (card.features == Features::Local) return;
    if (card.scene != use.scene)
        throw Error("'{}' has the paper's absolute features and was trained on '{}': it knows nothing of '{}'",
                    model.source, card.scene, use.scene);
    if (!(card.grid == use.grid) || card.factor != use.factor)
        throw Error(
            "'{}' has the paper's absolute features and was trained on {}×{} vertices at factor {}, not on {}×{} at "
            "factor {}",
            model.source, card.grid.rows, card.grid.columns, card.factor, use.grid.rows, use.grid.columns, use.factor);
}

std::unique_ptr<Upscaler> make_patch_upscaler(const TrainedModel& model, const geometry::Miniature& miniature,
                                              const Positions& fine_rest, double frame_time) {
    return std::make_unique<PatchUpscaler>(miniature, fine_rest, network(model, "patch"), model.card.features,
                                           frame_time);
}

std::unique_ptr<Upscaler> make_hierarchy_upscaler(const TrainedModel& model, const geometry::Hierarchy& hierarchy,
                                                  const Positions& finest_rest) {
    const int trained = static_cast<int>(model.networks.size());
    std::vector<std::unique_ptr<Upscaler>> levels;
    for (int level = 1; level <= hierarchy.level_count(); ++level) {
        // Counted from the finest: that is the level whose size it was trained at.
        const int own = std::max(1, trained - (hierarchy.level_count() - level));
        levels.push_back(std::make_unique<TriangleUpscaler>(
            hierarchy.subdivisions[static_cast<size_t>(level - 1)],
            geometry::sample(hierarchy.fine_vertices[static_cast<size_t>(level)], finest_rest),
            network(model, fmt::format("level.{}", own)), model.card.features));
    }
    return std::make_unique<CascadeUpscaler>(std::move(levels));
}

}  // namespace tulle::methods
