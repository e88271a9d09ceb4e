// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <cstdint>
#include <functional>

namespace tulle::numerics {

struct EvolutionSettings {
    int population = 64;
    int generations = 200;
    double weight = 0.7;     // F: how far a difference of two members moves a third
    double crossover = 0.9;  // CR: how likely a number comes from that move
    std::uint64_t seed = 1;
};

struct [[nodiscard]] EvolutionResult {
    VectorX x;
    double value = 0;
    int evaluations = 0;
};

// Minimises a function within a box from its values alone: differential evolution, rand/1/bin (Storn and Price 1997).
// All members of a generation are tried before any is replaced, so `f` may be called on several threads, and the result
// does not depend on how many there are.
EvolutionResult minimise_evolution(const std::function<double(const VectorX&)>& f, const VectorX& low,
                                   const VectorX& high, const EvolutionSettings& settings = {});

}  // namespace tulle::numerics
