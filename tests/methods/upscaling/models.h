// SPDX-License-Identifier: Apache-2.0
// Models nobody trained, so that tests need no weights.
#pragma once

#include "tests/methods/upscaling/support.h"
#include "tulle/methods/upscaling/upscaling_kind.h"

namespace tulle::methods::test {

inline ModelCard example_card(const std::string& method, const std::string& scene) {
    return {.method = method, .scene = scene, .data = "none", .command = "tests", .date = "2026-01-01"};
}

// All of its networks are what `make()` gives.
template <typename Make>
UpscalingModel make_model(const std::string& method, const std::string& scene, int factor, Features features,
                          const Make& make) {
    UpscalingModel model{.source = "test.safetensors",
                         .card = example_card(method, scene),
                         .part = {.factor = factor, .features = features},
                         .networks = {}};
    for (const std::string& name : upscaling_kind(method).network_names(factor)) model.networks.emplace(name, make());
    return model;
}

inline UpscalingModel random_model(const std::string& method, const std::string& scene, int factor, Features features) {
    std::uint64_t seed = 0;
    const bool of_patches = method == "miniature";
    return make_model(method, scene, factor, features, [&] {
        neural::Network network =
            is_canonical(features)
                ? neural::test::symmetric_network(upscaling_kind(method).symmetry(factor, features), {16}, ++seed)
                : random_network({of_patches ? 36 : 9, 16, of_patches ? 3 * (factor + 1) * (factor + 1) : 9}, ++seed);
        network.layers.back().weights *= 0.1f;  // so that a cloth stays in one piece
        network.layers.back().bias *= 0.1f;
        return network;
    });
}

inline UpscalingModel zero_model(const std::string& method, const std::string& scene, int factor) {
    return make_model(method, scene, factor, Features::Canonical,
                      [&] { return silent_network(upscaling_kind(method).symmetry(factor, Features::Canonical)); });
}

inline FineCloth flat_cloth(const geometry::GridSize& size) {
    return {.mesh = {.positions = flat(size), .triangles = {}, .tex_coords = {}}, .grid = size, .coarsest = {}};
}

}  // namespace tulle::methods::test
