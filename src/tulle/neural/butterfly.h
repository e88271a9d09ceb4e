// SPDX-License-Identifier: Apache-2.0
// Plain, because the kernels include it.
#pragma once

namespace tulle::neural {

inline constexpr int most_characters = 8;

// Numbers that mirrors exchange, and where their coefficients are. Coefficient k is Σ_b (−1)^(number of common bits of
// b and k) sign[b] · number[members[b]], divided by the root of `size`.
struct Butterfly {
    int size;  // 1, 2, 4 or 8
    int members[most_characters];
    float signs[most_characters];
    int slots[most_characters];
};

}  // namespace tulle::neural
