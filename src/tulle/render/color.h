// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/image.h"

#include <Eigen/Core>

#include <array>

namespace tulle::render {

using Color = Eigen::Array3f;  // linear light, sRGB primaries

Color from_srgb(const Rgb& color);
Rgb to_srgb(const Color& color);  // clamps to [0, 1]

// Light to what a screen can show: proportional up to 0.7, then bending softly towards 1, so that nothing burns out.
inline Color tone_mapped(const Color& light) {
    constexpr float knee = 0.7f;
    // Past the knee: knee + (1 − knee) e / (1 + e), which has slope 1 at the knee and tends to 1.
    const Color excess = (light - knee).max(0.0f) / (1 - knee);
    return light.min(knee).max(0.0f) + (1 - knee) * excess / (1 + excess);
}

// A colour scale from indigo over magenta and orange to yellow whose lightness rises evenly and whose steps look
// equally large: it is a curve in the perceptual space OKLab [Ottosson 2020], walked at constant speed.
class HeatMap {
public:
    HeatMap();
    // Blue over white to red, for what can be below and above: white is in the middle.
    static HeatMap diverging();
    Color at(double value) const;  // value in [0, 1], clamped

private:
    static constexpr int size = 257;
    std::array<Color, size> colors_;
};

}  // namespace tulle::render
