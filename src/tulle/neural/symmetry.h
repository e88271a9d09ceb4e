// SPDX-License-Identifier: Apache-2.0
// Symmetries that a network has exactly: if what it sees is turned or mirrored, what it says is turned or mirrored
// alike. Its hidden units come in groups of one for each element of the symmetry group, which the group permutes (the
// regular representation), so that a plain dense network has the symmetry if only its weights do.
#pragma once

#include <span>
#include <vector>

namespace tulle::neural {

// Number i becomes sign[i] · number from[i].
struct SignedPermutation {
    std::vector<int> from;
    std::vector<float> sign;

    void push_back(int from_index, float with_sign) {
        from.push_back(from_index);
        sign.push_back(with_sign);
    }
    bool operator==(const SignedPermutation&) const = default;
};

// What each element of a group does to what a network sees and to what it says.
struct Symmetry {
    std::vector<SignedPermutation> inputs, outputs;
    std::vector<int> mirrors;  // elements that commute and are their own inverses; see character_basis.h

    int order() const { return static_cast<int>(inputs.size()); }
};

// first, then second.
SignedPermutation compose(const SignedPermutation& first, const SignedPermutation& second);

// Entry a·order + b: the element that does b and then a. Throws an Error unless the inputs tell all elements apart and
// are closed.
std::vector<int> multiplication_table(const Symmetry& symmetry);

// What each element does to a hidden layer of `width` units. Throws an Error unless the order divides the width.
std::vector<SignedPermutation> hidden_actions(const Symmetry& symmetry, int width);

// The numbers of a matrix (outputs×inputs, row-major) that have the symmetry: within an orbit all have the same size.
struct Orbits {
    std::vector<int> orbit;    // of each number
    std::vector<float> sign;   // relative to the first of its orbit; 0 where the symmetry forbids anything but zero
    std::vector<float> share;  // one over the number of members, for each orbit
};
Orbits find_orbits(std::span<const SignedPermutation> inputs, std::span<const SignedPermutation> outputs);

// Replaces each number by the mean of its orbit: the nearest matrix that has the symmetry.
void make_symmetric(const Orbits& orbits, std::span<float> numbers);

}  // namespace tulle::neural
