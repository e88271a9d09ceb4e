// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/character_basis.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace tulle::neural {

namespace {

float parity_sign(int a, int b) { return std::popcount(static_cast<unsigned>(a & b)) % 2 == 0 ? 1.0f : -1.0f; }

// A butterfly whose slots are not known yet, and which mirrors exchange its members.
struct Orbit {
    Butterfly butterfly{.size = 1, .members = {}, .signs = {1}, .slots = {}};
    std::vector<size_t> exchanging;  // mirror of bit 0, of bit 1, …
};

Orbit orbit_of(int number, std::span<const SignedPermutation> mirrors) {
    Orbit orbit;
    Butterfly& b = orbit.butterfly;
    b.members[0] = number;
    for (size_t mirror = 0; mirror < mirrors.size(); ++mirror) {
        const auto image = [&](int member) { return mirrors[mirror].from[static_cast<size_t>(member)]; };
        const auto members = std::span<const int>(b.members, static_cast<size_t>(b.size));
        if (std::find(members.begin(), members.end(), image(number)) != members.end()) continue;
        orbit.exchanging.push_back(mirror);
        for (int k = 0; k < b.size; ++k) {
            const auto from = static_cast<size_t>(k), to = static_cast<size_t>(k + b.size);
            b.members[to] = image(b.members[from]);
            b.signs[to] = b.signs[from] * mirrors[mirror].sign[static_cast<size_t>(b.members[from])];
        }
        b.size *= 2;
    }
    return orbit;
}

// Whether a mirror changes the sign of coefficient k.
bool changes_sign(const Orbit& orbit, int k, size_t mirror, const SignedPermutation& action) {
    for (size_t bit = 0; bit < orbit.exchanging.size(); ++bit)
        if (orbit.exchanging[bit] == mirror) return (k >> bit & 1) != 0;
    // It exchanges nothing that others do not: its sign is what it does to the first member's part.
    const Butterfly& b = orbit.butterfly;
    const int from = action.from[static_cast<size_t>(b.members[0])];
    for (int place = 0; place < b.size; ++place)
        if (b.members[static_cast<size_t>(place)] == from)
            return parity_sign(place, k) * b.signs[static_cast<size_t>(place)] *
                       action.sign[static_cast<size_t>(b.members[0])] <
                   0;
    return false;
}

// In place.
void walsh(std::span<float> v) {
    for (size_t half = 1; half < v.size(); half *= 2)
        for (size_t first = 0; first < v.size(); first += 2 * half)
            for (size_t i = first; i < first + half; ++i) {
                const float a = v[i], b = v[i + half];
                v[i] = a + b;
                v[i + half] = a - b;
            }
}

// To coefficients, or back.
using Change = void (CharacterBasis::*)(const float*, float*) const;

Weights changed(const Weights& weights, const CharacterBasis& below, const CharacterBasis& above, Change change) {
    Weights half(weights.rows(), weights.cols());
    for (long o = 0; o < weights.rows(); ++o) (below.*change)(weights.row(o).data(), half.row(o).data());
    const Weights turned = half.transpose();
    Weights result(weights.cols(), weights.rows());
    for (long i = 0; i < turned.rows(); ++i) (above.*change)(turned.row(i).data(), result.row(i).data());
    return result.transpose();
}

}  // namespace

CharacterBasis character_basis(std::span<const SignedPermutation> mirrors) {
    const size_t characters = size_t{1} << mirrors.size();
    if (characters > most_characters) throw Error("a network has at most three mirrors, not {}", mirrors.size());
    const size_t width = mirrors.front().from.size();
    std::vector<char> is_done(width, 0);
    std::vector<Orbit> orbits;
    for (size_t number = 0; number < width; ++number) {
        if (is_done[number]) continue;
        orbits.push_back(orbit_of(static_cast<int>(number), mirrors));
        const Butterfly& b = orbits.back().butterfly;
        for (int k = 0; k < b.size; ++k) is_done[static_cast<size_t>(b.members[static_cast<size_t>(k)])] = 1;
    }
    CharacterBasis basis;
    basis.begins = {0};
    // From the character that every mirror changes to the one that none does.
    for (size_t character = characters; character-- > 0;) {
        int next = basis.begins.back();
        for (Orbit& orbit : orbits)
            for (int k = 0; k < orbit.butterfly.size; ++k) {
                size_t own = 0;
                for (size_t mirror = 0; mirror < mirrors.size(); ++mirror)
                    own |= static_cast<size_t>(changes_sign(orbit, k, mirror, mirrors[mirror])) << mirror;
                if (own == character) orbit.butterfly.slots[static_cast<size_t>(k)] = next++;
            }
        basis.begins.push_back(next);
    }
    for (const Orbit& orbit : orbits) basis.butterflies.push_back(orbit.butterfly);
    return basis;
}

void CharacterBasis::to_coefficients(const float* numbers, float* coefficients) const {
    for (const Butterfly& b : butterflies) {
        std::array<float, most_characters> v;
        const auto size = static_cast<size_t>(b.size);
        for (size_t k = 0; k < size; ++k) v[k] = b.signs[k] * numbers[b.members[k]];
        walsh(std::span(v).first(size));
        const float scale = 1 / std::sqrt(static_cast<float>(b.size));
        for (size_t k = 0; k < size; ++k) coefficients[b.slots[k]] = scale * v[k];
    }
}

void CharacterBasis::to_numbers(const float* coefficients, float* numbers) const {
    for (const Butterfly& b : butterflies) {
        std::array<float, most_characters> v;
        const auto size = static_cast<size_t>(b.size);
        for (size_t k = 0; k < size; ++k) v[k] = coefficients[b.slots[k]];
        walsh(std::span(v).first(size));
        const float scale = 1 / std::sqrt(static_cast<float>(b.size));
        for (size_t k = 0; k < size; ++k) numbers[b.members[k]] = scale * b.signs[k] * v[k];
    }
}

Weights to_coefficients(const Weights& weights, const CharacterBasis& below, const CharacterBasis& above) {
    return changed(weights, below, above, &CharacterBasis::to_coefficients);
}

Weights to_numbers(const Weights& weights, const CharacterBasis& below, const CharacterBasis& above) {
    return changed(weights, below, above, &CharacterBasis::to_numbers);
}

std::vector<CharacterBasis> character_bases(const Symmetry& symmetry, std::span<const int> sizes) {
    std::vector<CharacterBasis> bases;
    for (size_t layer = 0; layer < sizes.size(); ++layer) {
        const std::vector<SignedPermutation> actions = layer == 0 ? symmetry.inputs
                                                       : layer + 1 == sizes.size()
                                                           ? symmetry.outputs
                                                           : hidden_actions(symmetry, sizes[layer]);
        std::vector<SignedPermutation> mirrors;
        for (const int mirror : symmetry.mirrors) mirrors.push_back(actions[static_cast<size_t>(mirror)]);
        bases.push_back(character_basis(mirrors));
    }
    return bases;
}

}  // namespace tulle::neural
