// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/miniature.h"

#include <array>
#include <vector>

namespace tulle::geometry {

enum class Interpolation {
    Bilinear,
    Biquadratic,  // a parabola through every two neighbouring cells
    Bicubic,      // Catmull–Rom; beyond the border the grid is continued linearly
};

// A value between grid vertices as a sum over four neighbours in a line, of which the first is `first`.
struct LineStencil {
    int first = 0;
    std::array<double, 4> weights = {0, 0, 0, 0};
};

// Catmull–Rom weights of the values at −1, 0, 1 and 2 for the place t in [0, 1].
std::array<double, 4> catmull_rom(double t);

// How each vertex of a line that is `factor` times finer follows from the `coarse` vertices of a line, at least 2.
// All of them reproduce a straight line exactly, at the border too.
std::vector<LineStencil> line_stencils(Interpolation interpolation, int coarse, int factor);

// Turns coarse positions into fine ones; a coarse vertex keeps its place.
class Upsampling {
public:
    Upsampling(const Miniature& miniature, Interpolation interpolation);

    void apply(const Positions& coarse, Positions& fine) const;
    // Only rows [begin, end) of the fine grid; `fine` has its size already.
    void fill_rows(const Positions& coarse, int begin, int end, Positions& fine) const;

private:
    Miniature miniature_;
    std::vector<LineStencil> rows_, columns_;  // of the fine grid's rows and columns
};

}  // namespace tulle::geometry
