// SPDX-License-Identifier: Apache-2.0
// Smoothing of noisy values over the rows and columns of a grid.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/geometry/grid_cloth.h"

#include <vector>

namespace tulle::methods {

// Local polynomials of a degree along the rows, then along the columns, `reach` vertices to both sides, fewer at
// borders. Polynomials up to the degree stay as they are.
Positions smoothed_over_grid(const Positions& values, const geometry::GridSize& size, int reach, int degree);

// The same with the largest reach at which no more is lost than noise of this standard deviation explains, chosen for
// each region of the grid on its own.
Positions fairly_smoothed_over_grid(const Positions& values, const geometry::GridSize& size, double noise,
                                    const std::vector<bool>& pinned);

}  // namespace tulle::methods
