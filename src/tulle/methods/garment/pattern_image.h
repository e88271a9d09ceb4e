// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <span>
#include <vector>

namespace tulle::methods {

// A vertex is on the front if its triangles lie face up in the pattern, on the back if they lie face down, and on a
// seam if it has both.
enum class PatternSide { Front, Back, Seam };

std::vector<PatternSide> pattern_sides(const Rows<double, 2>& pattern, const Triangles& triangles);  // |V|

// Vectors of a garment's vertices as an image over its pattern: three channels for the front, then three for the back,
// channels×height×width. The pattern's bounding box has the centres of the outermost pixels on its border. A vertex
// reads its side bilinearly, one on a seam the mean of both sides.
//
//      front: Δu Δv Δn     back: Δu Δv Δn
class PatternImage {
public:
    static constexpr int channels = 6;

    struct Tap {
        int pixel = 0;  // in the whole image, of the first of the three channels; the others are height·width apart
        float weight = 0;
    };

    // `pattern`: |V|×2 in any unit.
    PatternImage(const Rows<double, 2>& pattern, const Triangles& triangles, int height, int width);

    int height() const { return height_; }
    int width() const { return width_; }
    long size() const { return static_cast<long>(channels) * height_ * width_; }
    long vertex_count() const { return static_cast<long>(first_taps_.size()) - 1; }

    std::span<const Tap> taps(long vertex) const;  // at most eight; weights add up to 1

    // The vector that each vertex reads, |V|×3.
    Positions read(std::span<const float> image) const;

private:
    int height_, width_;
    std::vector<int> first_taps_;  // |V|+1
    std::vector<Tap> taps_;
};

}  // namespace tulle::methods
