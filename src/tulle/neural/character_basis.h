// SPDX-License-Identifier: Apache-2.0
// What makes a symmetric network fast. Mirrors commute and are their own inverses, so the numbers of a layer can be
// written in a basis in which every mirror only changes signs: sums and differences of numbers that the mirrors
// exchange (Walsh–Hadamard transforms). Coefficients with the same signs under all mirrors have the same character. A
// layer with the symmetry never mixes characters: of its matrix only one block for each of them is left, an eighth of
// the work for three mirrors.
#pragma once

#include "tulle/neural/butterfly.h"
#include "tulle/neural/network.h"
#include "tulle/neural/symmetry.h"

#include <span>
#include <vector>

namespace tulle::neural {

struct CharacterBasis {
    std::vector<Butterfly> butterflies;
    std::vector<int> begins;  // characters + 1: where the slots of each begin; those that no mirror changes come last

    int characters() const { return static_cast<int>(begins.size()) - 1; }
    int width() const { return begins.back(); }
    // Both orthonormal, and each other's inverse.
    void to_coefficients(const float* numbers, float* coefficients) const;
    void to_numbers(const float* coefficients, float* numbers) const;
};

// `mirrors`: what each of them does to the numbers; at most three.
CharacterBasis character_basis(std::span<const SignedPermutation> mirrors);

// The weights of a layer between numbers as those between coefficients, and back.
Weights to_coefficients(const Weights& weights, const CharacterBasis& below, const CharacterBasis& above);
Weights to_numbers(const Weights& weights, const CharacterBasis& below, const CharacterBasis& above);

// Of the inputs, the hidden layers and the outputs of a network of these sizes.
std::vector<CharacterBasis> character_bases(const Symmetry& symmetry, std::span<const int> sizes);

}  // namespace tulle::neural
