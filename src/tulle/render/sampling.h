// SPDX-License-Identifier: Apache-2.0
// Where to sample. Everything is a function of an index and a seed, so that pictures are the same at any thread count.
#pragma once

#include "tulle/core/random.h"
#include "tulle/render/camera.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

namespace tulle::render {

struct Square {
    std::uint32_t x = 0;  // of 2³²
    std::uint32_t y = 0;

    Eigen::Vector2f point() const {
        return {static_cast<float>(x >> 8) * 0x1p-24f, static_cast<float>(y >> 8) * 0x1p-24f};
    }
};

// Point `index` of the (0, 2)-sequence of van der Corput and Sobol: of its first 4ᵏ points exactly one lies in each
// cell of a 2ᵏ×2ᵏ grid. An exclusive or with a constant keeps that.
inline Square stratified(std::uint32_t index) {
    Square square;
    std::uint32_t column = 1u << 31;
    for (std::uint32_t bit = 0; bit < 32 && (index >> bit) != 0; ++bit) {
        if ((index >> bit) & 1u) {
            square.x ^= 1u << (31 - bit);
            square.y ^= column;
        }
        column ^= column >> 1;
    }
    return square;
}

inline Square scrambled(const Square& square, std::uint64_t seed) {
    const std::uint64_t bits = mix(seed);
    return {square.x ^ static_cast<std::uint32_t>(bits), square.y ^ static_cast<std::uint32_t>(bits >> 32)};
}

// From the unit square to the unit disc, keeping areas and neighbours [Shirley and Chiu 1997].
inline Eigen::Vector2f to_disc(const Eigen::Vector2f& square) {
    const Eigen::Vector2f p = 2 * square - Eigen::Vector2f::Ones();
    if (p.x() == 0 && p.y() == 0) return Eigen::Vector2f::Zero();
    constexpr float quarter = std::numbers::pi_v<float> / 4;
    const bool is_wide = std::abs(p.x()) > std::abs(p.y());
    const float radius = is_wide ? p.x() : p.y();
    const float angle = is_wide ? quarter * p.y() / p.x() : 2 * quarter - quarter * p.x() / p.y();
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

// From the uniform to the tent density on (−1, 1): sampling with it filters a picture with the tent.
inline float to_tent(float uniform) {
    return uniform < 0.5f ? std::sqrt(2 * uniform) - 1 : 1 - std::sqrt(2 - 2 * uniform);
}

// Evenly spread unit directions: a spiral from pole to pole, ordered so that consecutive ones are neighbours.
inline std::vector<Point> sphere_directions(int count) {
    std::vector<Point> directions;
    for (int i = 0; i < count; ++i) {
        const double z = 1 - (2 * i + 1.0) / count;
        const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
        const double radius = std::sqrt(1 - z * z);
        directions.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
    return directions;
}

}  // namespace tulle::render
