// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/color.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace tulle::render;

namespace {

// Linear sRGB to OKLab [Ottosson 2020], written for the test only.
Eigen::Array3f to_oklab(const Color& color) {
    const float l = std::cbrt(0.4122214708f * color[0] + 0.5363325363f * color[1] + 0.0514459929f * color[2]);
    const float m = std::cbrt(0.2119034982f * color[0] + 0.6806995451f * color[1] + 0.1073969566f * color[2]);
    const float s = std::cbrt(0.0883024619f * color[0] + 0.2817188376f * color[1] + 0.6299787005f * color[2]);
    return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
            1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
            0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

}  // namespace

TEST_CASE("Every sRGB value survives the way to linear light and back") {
    for (int value = 0; value < 256; ++value) {
        const auto byte = static_cast<std::uint8_t>(value);
        CHECK(to_srgb(from_srgb({byte, byte, byte})) == Rgb{byte, byte, byte});
    }
}

TEST_CASE("Tone mapping keeps order, leaves dark values alone and never reaches white") {
    CHECK(tone_mapped(Color::Constant(0.5f))[0] == 0.5f);
    float last = -1;
    for (float light = 0; light < 20; light += 0.05f) {
        const float shown = tone_mapped(Color::Constant(light))[0];
        CHECK(shown > last);
        CHECK(shown < 1);
        last = shown;
    }
}

TEST_CASE("Equal steps of the heat map look equally large and become steadily lighter") {
    const HeatMap map;
    float smallest = 1;
    float largest = 0;
    for (int i = 0; i < 32; ++i) {
        const Eigen::Array3f step = to_oklab(map.at((i + 1) / 32.0)) - to_oklab(map.at(i / 32.0));
        CHECK(step[0] > 0);
        smallest = std::min(smallest, step.matrix().norm());
        largest = std::max(largest, step.matrix().norm());
    }
    CHECK(largest < 1.2f * smallest);
}

TEST_CASE("The diverging scale is blue below, white in the middle and red above, and both ends are equally light") {
    const HeatMap map = HeatMap::diverging();
    const Color blue = map.at(0), white = map.at(0.5), red = map.at(1);
    CHECK(blue[2] > 4 * blue[0]);
    CHECK(red[0] > 4 * red[2]);
    CHECK(white.minCoeff() > 0.85f);
    CHECK(white.maxCoeff() - white.minCoeff() < 0.01f);
    const auto luminance = [](const Color& c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; };
    CHECK(luminance(map.at(0.25)) > luminance(blue));
    CHECK(luminance(map.at(0.75)) > luminance(red));
}
