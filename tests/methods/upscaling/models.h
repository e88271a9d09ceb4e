// SPDX-License-Identifier: Apache-2.0
// Models nobody trained, so that tests need no weights.
#pragma once

#include "tests/methods/upscaling/support.h"
#include "tulle/methods/upscaling/upscaling_kind.h"

#include <fmt/format.h>

#include <bit>

namespace tulle::methods::test {

inline ModelCard example_card(const std::string& method, const std::string& scene) {
    return {.method = method, .scene = scene, .data = "none", .command = "tests", .date = "2026-01-01"};
}

// Its networks are those that `make(sizes)` gives.
template <typename Make>
UpscalingModel make_model(const std::string& method, const std::string& scene, int factor, Features features,
                          const Make& make) {
    UpscalingModel model{.source = "test.safetensors",
                         .card = example_card(method, scene),
                         .part = {.factor = factor, .features = features},
                         .networks = {}};
    const bool local = features == Features::Local;
    if (method == "miniature") {
        const std::vector<int> sizes = {local ? 48 : 36, 16, 3 * (factor + 1) * (factor + 1)};
        model.networks.emplace("patch", make(sizes));
    } else {
        const std::vector<int> sizes = {local ? 18 : 9, 16, 9};
        for (int level = 1; level <= std::countr_zero(static_cast<unsigned>(factor)); ++level)
            model.networks.emplace(fmt::format("level.{}", level), make(sizes));
    }
    return model;
}

inline UpscalingModel random_model(const std::string& method, const std::string& scene, int factor, Features features) {
    std::uint64_t seed = 0;
    return make_model(method, scene, factor, features, [&](const std::vector<int>& sizes) {
        neural::Network network = random_network(sizes, ++seed);
        network.normalisation.output_mean *= 0.1f;  // so that a cloth stays in one piece
        network.normalisation.output_scale *= 0.1f;
        return network;
    });
}

inline UpscalingModel zero_model(const std::string& method, const std::string& scene, int factor) {
    return make_model(method, scene, factor, Features::Local, zero_network);
}

inline FineCloth flat_cloth(const geometry::GridSize& size) {
    return {.mesh = {.positions = flat(size), .triangles = {}, .tex_coords = {}}, .grid = size, .coarsest = {}};
}

}  // namespace tulle::methods::test
