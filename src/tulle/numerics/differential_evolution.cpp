// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/differential_evolution.h"

#include "tulle/core/parallel.h"
#include "tulle/core/random.h"

#include <algorithm>
#include <vector>

namespace tulle::numerics {

namespace {

using Members = std::vector<VectorX>;

// Three members that differ from each other and from `index`.
std::array<size_t, 3> three_others(Random& random, size_t index, size_t count) {
    std::array<size_t, 3> chosen{};
    for (size_t i = 0; i < 3; ++i) {
        do chosen[i] = random.bits() % count;
        while (chosen[i] == index || std::find(chosen.begin(), chosen.begin() + i, chosen[i]) != chosen.begin() + i);
    }
    return chosen;
}

VectorX child_of(const Members& members, size_t index, const VectorX& low, const VectorX& high, Random& random,
                 const EvolutionSettings& settings) {
    const auto [a, b, c] = three_others(random, index, members.size());
    VectorX child = members[index];
    const auto certain = static_cast<long>(random.bits() % static_cast<std::uint64_t>(child.size()));
    for (long i = 0; i < child.size(); ++i)
        if (i == certain || random.uniform() < settings.crossover)
            child(i) = std::clamp(members[a](i) + settings.weight * (members[b](i) - members[c](i)), low(i), high(i));
    return child;
}

std::vector<double> values_of(const std::function<double(const VectorX&)>& f, const Members& members) {
    std::vector<double> values(members.size());
    parallel_for(static_cast<long>(members.size()),
                 [&](long i) { values[static_cast<size_t>(i)] = f(members[static_cast<size_t>(i)]); });
    return values;
}

}  // namespace

EvolutionResult minimise_evolution(const std::function<double(const VectorX&)>& f, const VectorX& low,
                                   const VectorX& high, const EvolutionSettings& settings) {
    Random random(settings.seed);
    const auto count = static_cast<size_t>(std::max(settings.population, 4));
    Members members(count, low);
    for (VectorX& member : members)
        for (long i = 0; i < member.size(); ++i) member(i) = random.uniform(low(i), high(i));
    std::vector<double> values = values_of(f, members);
    for (int generation = 0; generation < settings.generations; ++generation) {
        Members children(count);
        for (size_t i = 0; i < count; ++i) children[i] = child_of(members, i, low, high, random, settings);
        const std::vector<double> tried = values_of(f, children);
        for (size_t i = 0; i < count; ++i)
            if (tried[i] <= values[i]) {
                members[i] = std::move(children[i]);
                values[i] = tried[i];
            }
    }
    const auto best = static_cast<size_t>(std::min_element(values.begin(), values.end()) - values.begin());
    return {
        .x = members[best], .value = values[best], .evaluations = static_cast<int>(count) * (settings.generations + 1)};
}

}  // namespace tulle::numerics
