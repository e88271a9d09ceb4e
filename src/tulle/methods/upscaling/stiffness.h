// SPDX-License-Identifier: Apache-2.0
// What a network cannot see in the shape of a piece of cloth: how stiff it is against stretch, bending and inertia.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace tulle::methods {

// Of the cloth as a continuum, so that it is the same at any spacing. All zeros: not known.
struct Stiffness {
    double stretch = 0;     // [N/m]
    double bending = 0;     // [N m] flexural rigidity
    double folding = 0;     // [N m³] k_b L⁴ of skip springs k_b over spacings L, whose energy grows with κ⁴
    double density = 0;     // [kg/m²]
    double frame_time = 0;  // [s]
};

// Two numbers of about one, or zeros for a cloth that is not known: the ratios of bending to stretch, and of stretch to
// inertia (kΔt²/m), for pieces as large as `unit` [m].
inline std::array<float, 2> stiffness_inputs(const Stiffness& cloth, double unit) {
    if (cloth.stretch <= 0) return {0, 0};
    const auto input = [](double ratio, double usual) {
        return static_cast<float>(std::clamp(0.25 * std::log(std::max(ratio / usual, 1e-12)), -2.0, 2.0));
    };
    // Skip springs bend like a rigidity of k_b L⁴κ²/16: their energy per area is k_b L⁴κ⁴/32. Taken at κ = 1/(2 unit).
    const double rigidity = cloth.bending + cloth.folding / (64 * unit * unit);
    return {input(rigidity / (cloth.stretch * unit * unit), 1e-5),
            input(cloth.stretch * cloth.frame_time * cloth.frame_time / (cloth.density * unit * unit), 300)};
}

// One training sample in three is not told, so that zeros mean what they say.
inline bool tells_stiffness(long sample) { return static_cast<unsigned long>(sample) * 2654435761UL / 65536 % 3 != 0; }

}  // namespace tulle::methods
