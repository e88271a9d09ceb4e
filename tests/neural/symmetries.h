// SPDX-License-Identifier: Apache-2.0
// Networks with a symmetry that nobody trained.
#pragma once

#include "tests/neural/networks.h"
#include "tulle/neural/symmetry.h"

#include <algorithm>
#include <vector>

namespace tulle::neural::test {

// The six permutations of three numbers, and the sign of three others, which follow them: order 12. Of inputs and
// outputs alike, and one number that nothing changes.
inline Symmetry triangle_like() {
    Symmetry symmetry;
    std::vector<int> order = {0, 1, 2};
    do {
        for (const float sign : {1.0f, -1.0f}) {
            SignedPermutation action;
            for (const int i : order) action.push_back(i, 1);
            for (const int i : order) action.push_back(3 + i, sign);
            action.push_back(6, 1);
            const bool only_swaps = order == std::vector<int>{1, 0, 2} && sign > 0;
            const bool only_changes_sign = order == std::vector<int>{0, 1, 2} && sign < 0;
            if (only_swaps || only_changes_sign) symmetry.mirrors.push_back(symmetry.order());
            symmetry.inputs.push_back(action);
            symmetry.outputs.push_back(action);
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return symmetry;
}

// The nearest network with the symmetry to one with random weights.
inline Network symmetric_network(const Symmetry& symmetry, const std::vector<int>& hidden, std::uint64_t seed = 1,
                                 Activation activation = Activation::Relu) {
    std::vector<int> sizes = {static_cast<int>(symmetry.inputs.front().from.size())};
    sizes.insert(sizes.end(), hidden.begin(), hidden.end());
    sizes.push_back(static_cast<int>(symmetry.outputs.front().from.size()));
    Network network = random_network(sizes, activation, seed);
    network.normalisation = Normalisation::identity(sizes.front(), sizes.back());
    const std::vector<SignedPermutation> nothing(static_cast<size_t>(symmetry.order()), {.from = {0}, .sign = {1}});
    std::vector<SignedPermutation> below = symmetry.inputs;
    for (DenseLayer& layer : network.layers) {
        const bool is_last = &layer == &network.layers.back();
        const auto above = is_last ? symmetry.outputs : hidden_actions(symmetry, static_cast<int>(layer.bias.size()));
        layer.weights *= 4;
        make_symmetric(find_orbits(below, above), {layer.weights.data(), static_cast<size_t>(layer.weights.size())});
        make_symmetric(find_orbits(nothing, above), {layer.bias.data(), static_cast<size_t>(layer.bias.size())});
        below = above;
    }
    return network;
}

inline std::vector<float> acted(const SignedPermutation& action, std::span<const float> numbers) {
    std::vector<float> result;
    for (size_t i = 0; i < action.from.size(); ++i)
        result.push_back(action.sign[i] * numbers[static_cast<size_t>(action.from[i])]);
    return result;
}

}  // namespace tulle::neural::test
