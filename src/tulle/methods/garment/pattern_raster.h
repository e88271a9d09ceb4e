// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/garment/pattern_image.h"

#include <array>
#include <vector>

namespace tulle::methods {

// A pixel of a PatternImage that lies on the pattern, and where it is in a triangle there.
struct PatternPixel {
    int pixel = 0;  // of the first of the three channels of its side
    std::array<int, 3> vertices{};
    std::array<float, 3> weights{};  // add up to 1
};

// The way opposite to PatternImage::read: all pixels that lie on the pattern, front then back, in order.
std::vector<PatternPixel> rasterise(const Rows<double, 2>& pattern, const Triangles& triangles, int height, int width);

}  // namespace tulle::methods
