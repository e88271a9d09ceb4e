// SPDX-License-Identifier: Apache-2.0
// Models nobody trained, so that tests need no weights.
#pragma once

#include "tests/methods/support.h"
#include "tulle/methods/trained_model.h"

#include <fmt/format.h>

#include <bit>

namespace tulle::methods::test {

inline ModelCard example_card(const std::string& method, const std::string& scene, int factor, Features features) {
    return {.method = method,
            .scene = scene,
            .factor = factor,
            .features = features,
            .data = "none",
            .command = "tests",
            .date = "2026-01-01"};
}

// Its networks are those that `make(sizes)` gives.
template <typename Make>
TrainedModel make_model(const std::string& method, const std::string& scene, int factor, Features features,
                        const Make& make) {
    TrainedModel model{
        .source = "test.safetensors", .card = example_card(method, scene, factor, features), .networks = {}};
    const bool local = features == Features::Local;
    if (method == "miniature") {
        model.card.layers = {local ? 48 : 36, 16, 3 * (factor + 1) * (factor + 1)};
        model.networks.emplace("patch", make(model.card.layers));
    } else {
        model.card.layers = {local ? 18 : 9, 16, 9};
        for (int level = 1; level <= std::countr_zero(static_cast<unsigned>(factor)); ++level)
            model.networks.emplace(fmt::format("level.{}", level), make(model.card.layers));
    }
    return model;
}

inline TrainedModel random_model(const std::string& method, const std::string& scene, int factor, Features features) {
    std::uint64_t seed = 0;
    return make_model(method, scene, factor, features, [&](const std::vector<int>& sizes) {
        neural::Network network = random_network(sizes, ++seed);
        network.normalisation.output_mean *= 0.1f;  // so that a cloth stays in one piece
        network.normalisation.output_scale *= 0.1f;
        return network;
    });
}

inline TrainedModel zero_model(const std::string& method, const std::string& scene, int factor) {
    return make_model(method, scene, factor, Features::Local, zero_network);
}

}  // namespace tulle::methods::test
