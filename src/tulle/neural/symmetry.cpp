// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/symmetry.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <limits>

namespace tulle::neural {

SignedPermutation compose(const SignedPermutation& first, const SignedPermutation& second) {
    SignedPermutation both;
    for (size_t i = 0; i < second.from.size(); ++i) {
        const auto middle = static_cast<size_t>(second.from[i]);
        both.push_back(first.from[middle], second.sign[i] * first.sign[middle]);
    }
    return both;
}

std::vector<int> multiplication_table(const Symmetry& symmetry) {
    const std::vector<SignedPermutation>& elements = symmetry.inputs;
    std::vector<int> table;
    for (const SignedPermutation& after : elements)
        for (const SignedPermutation& before : elements) {
            const auto is_product = [product = compose(before, after)](const auto& element) {
                return element == product;
            };
            if (std::count_if(elements.begin(), elements.end(), is_product) != 1)
                throw Error("the symmetries of a network's inputs are no group");
            table.push_back(
                static_cast<int>(std::find_if(elements.begin(), elements.end(), is_product) - elements.begin()));
        }
    return table;
}

std::vector<SignedPermutation> hidden_actions(const Symmetry& symmetry, int width) {
    const int order = symmetry.order();
    if (width % order != 0)
        throw Error("a hidden layer of a network with {} symmetries is a multiple of {} wide, not {}", order, order,
                    width);
    const std::vector<int> table = multiplication_table(symmetry);
    std::vector<SignedPermutation> actions(static_cast<size_t>(order));
    for (int element = 0; element < order; ++element)
        for (int unit = 0; unit < width; ++unit) {
            const int group = unit / order, member = unit % order;
            actions[static_cast<size_t>(element)].push_back(
                group * order + table[static_cast<size_t>(member * order + element)], 1);
        }
    return actions;
}

// W has the symmetry if W·(what g makes of x) = what g makes of W·x for all x, which says that number (o, i) is number
// (from(o), from(i)) times both signs.
Orbits find_orbits(std::span<const SignedPermutation> inputs, std::span<const SignedPermutation> outputs) {
    const size_t columns = inputs.front().from.size(), rows = outputs.front().from.size();
    std::vector<size_t> first(rows * columns, std::numeric_limits<size_t>::max());
    Orbits orbits{.orbit = std::vector<int>(rows * columns), .sign = std::vector<float>(rows * columns), .share = {}};
    for (size_t g = 0; g < inputs.size(); ++g)
        for (size_t o = 0; o < rows; ++o)
            for (size_t i = 0; i < columns; ++i) {
                const size_t number = o * columns + i;
                const size_t image =
                    static_cast<size_t>(outputs[g].from[o]) * columns + static_cast<size_t>(inputs[g].from[i]);
                const float sign = outputs[g].sign[o] * inputs[g].sign[i];
                if (image < first[number]) {
                    first[number] = image;
                    orbits.sign[number] = sign;
                } else if (image == first[number] && sign != orbits.sign[number]) {
                    orbits.sign[number] = 0;  // it is its own opposite
                }
            }
    std::vector<int> members, orbit_of_first(rows * columns, -1);
    for (size_t number = 0; number < first.size(); ++number) {
        int& orbit = orbit_of_first[first[number]];
        if (orbit < 0) {
            orbit = static_cast<int>(members.size());
            members.push_back(0);
        }
        orbits.orbit[number] = orbit;
        ++members[static_cast<size_t>(orbit)];
    }
    for (const int count : members) orbits.share.push_back(1.0f / static_cast<float>(count));
    return orbits;
}

void make_symmetric(const Orbits& orbits, std::span<float> numbers) {
    std::vector<float> means(orbits.share.size(), 0.0f);
    for (size_t i = 0; i < numbers.size(); ++i)
        means[static_cast<size_t>(orbits.orbit[i])] += orbits.sign[i] * numbers[i];
    for (size_t k = 0; k < means.size(); ++k) means[k] *= orbits.share[k];
    for (size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = orbits.sign[i] * means[static_cast<size_t>(orbits.orbit[i])];
}

}  // namespace tulle::neural
