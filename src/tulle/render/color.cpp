// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/color.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace tulle::render {

namespace {

float decode(float encoded) {
    return encoded <= 0.04045f ? encoded / 12.92f : std::pow((encoded + 0.055f) / 1.055f, 2.4f);
}

float encode(float linear) {
    return linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f;
}

// Rounded encodings of a fine grid of linear values: a table is quicker than a power per pixel. The grid is spaced by
// square roots, so that the steep dark end is as well resolved as the bright one.
class EncodingTable {
public:
    EncodingTable() {
        for (int i = 0; i < size; ++i) {
            const float root = static_cast<float>(i) / (size - 1);
            bytes_[static_cast<size_t>(i)] = static_cast<std::uint8_t>(std::lround(255 * encode(root * root)));
        }
    }
    std::uint8_t operator()(float linear) const {
        const float root = std::sqrt(std::clamp(linear, 0.0f, 1.0f));
        const float place = root * (size - 1) + 0.5f;  // cut off, it is the nearest
        return bytes_[static_cast<size_t>(place)];
    }

private:
    static constexpr int size = 8192;
    std::array<std::uint8_t, size> bytes_;
};

// OKLab, from lightness in [0, 1], chroma and hue [rad], to linear sRGB (perhaps outside of [0, 1]).
Color from_oklch(float lightness, float chroma, float hue) {
    const float a = chroma * std::cos(hue);
    const float b = chroma * std::sin(hue);
    const float l = std::pow(lightness + 0.3963377774f * a + 0.2158037573f * b, 3.0f);
    const float m = std::pow(lightness - 0.1055613458f * a - 0.0638541728f * b, 3.0f);
    const float s = std::pow(lightness - 0.0894841775f * a - 1.2914855480f * b, 3.0f);
    return {4.0767416621f * l - 3.3077115913f * m + 0.2309699292f * s,
            -1.2684380046f * l + 2.6097574011f * m - 0.3413193965f * s,
            -0.0041960863f * l - 0.7034186147f * m + 1.7076147010f * s};
}

struct LabPoint {
    Eigen::Array3f lab;
    Color color;
};

// A point of the heat curve: lightness rises, the hue turns from indigo through red to yellow, and the chroma is as
// large as a screen can show, up to a limit.
LabPoint heat_curve(float t) {
    const float lightness = 0.42f + 0.50f * t;
    const float hue = (285 + 178 * t) * std::numbers::pi_v<float> / 180;
    const auto is_shown = [&](float chroma) {
        const Color color = from_oklch(lightness, chroma, hue);
        return color.minCoeff() >= 0 && color.maxCoeff() <= 1;
    };
    float chroma = 0.19f;
    float hidden = chroma;
    if (!is_shown(chroma)) chroma = 0;
    for (int halving = 0; halving < 24 && chroma < hidden; ++halving) {
        const float middle = (chroma + hidden) / 2;
        (is_shown(middle) ? chroma : hidden) = middle;
    }
    return {.lab = {lightness, chroma * std::cos(hue), chroma * std::sin(hue)},
            .color = from_oklch(lightness, chroma, hue)};
}

// Blue at −1, white at 0, red at 1: the chroma grows evenly from white, and both ends are equally dark.
Color diverging_curve(float t) {
    const float part = std::abs(t);
    const float hue = (t < 0 ? 262.0f : 27.0f) * std::numbers::pi_v<float> / 180;
    return from_oklch(0.97f - 0.44f * part, 0.2f * part, hue).max(0.0f).min(1.0f);
}

}  // namespace

Color from_srgb(const Rgb& color) {
    return {decode(static_cast<float>(color[0]) / 255), decode(static_cast<float>(color[1]) / 255),
            decode(static_cast<float>(color[2]) / 255)};
}

Rgb to_srgb(const Color& color) {
    static const EncodingTable table;  // constant
    return {table(color[0]), table(color[1]), table(color[2])};
}

HeatMap::HeatMap() {
    constexpr int steps = 2048;
    std::vector<LabPoint> points;
    std::vector<float> lengths{0};
    for (int i = 0; i <= steps; ++i) {
        points.push_back(heat_curve(static_cast<float>(i) / steps));
        if (i > 0) lengths.push_back(lengths.back() + (points[i].lab - points[i - 1].lab).matrix().norm());
    }
    for (int k = 0; k < size; ++k) {
        const float wanted = lengths.back() * static_cast<float>(k) / (size - 1);
        const auto found = std::lower_bound(lengths.begin(), lengths.end(), wanted);
        const size_t i = std::min<size_t>(static_cast<size_t>(found - lengths.begin()), steps);
        colors_[static_cast<size_t>(k)] = points[i].color.max(0.0f).min(1.0f);
    }
}

HeatMap HeatMap::diverging() {
    HeatMap map;
    for (int k = 0; k < size; ++k)
        map.colors_[static_cast<size_t>(k)] = diverging_curve(2 * static_cast<float>(k) / (size - 1) - 1);
    return map;
}

Color HeatMap::at(double value) const {
    const double place = std::clamp(value, 0.0, 1.0) * (size - 1);
    const int low = std::min(static_cast<int>(place), size - 2);
    const auto part = static_cast<float>(place - low);
    return (1 - part) * colors_[static_cast<size_t>(low)] + part * colors_[static_cast<size_t>(low) + 1];
}

}  // namespace tulle::render
