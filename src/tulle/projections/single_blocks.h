// SPDX-License-Identifier: Apache-2.0
// A block matrix in single precision and conjugate gradients with it, four numbers at a time: enough to find a
// direction, and more than twice as fast as in double. Sums have the same bits at any number of threads.
#pragma once

#include "tulle/numerics/aligned_array.h"
#include "tulle/projections/block_matrix.h"

namespace tulle::projections {

// Blocks are symmetric: three columns of four floats each, the fourth of them zero.
struct SingleBlocks {
    numerics::AlignedArray<float> diagonal;  // |V|
    numerics::AlignedArray<float> between;   // one for each pair

    explicit SingleBlocks(const BlockPattern& pattern)
        : diagonal(static_cast<size_t>(12 * pattern.vertices())), between(static_cast<size_t>(12 * pattern.pairs())) {}
    SingleBlocks(const BlockPattern& pattern, const BlockMatrix& matrix);
};

struct BlockCgSettings {
    double tolerance = 1e-3;  // ‖r‖ / ‖b‖
    int max_iterations = 500;
};

struct [[nodiscard]] BlockCgReport {
    int iterations = 0;
    double residual = 1;              // ‖r‖ / ‖b‖
    bool negative_curvature = false;  // the matrix is not positive definite; the answer so far is kept
};

// A x = b from x = 0, with the inverses of the diagonal blocks for a preconditioner. Rows of fixed vertices are zero.
BlockCgReport solve_single(const BlockPattern& pattern, const SingleBlocks& matrix, const std::vector<bool>& fixed,
                           const Positions& b, Positions& x, const BlockCgSettings& settings);

// A x in double precision, written to be read. Rows of fixed vertices are zero and their columns are left out.
Positions multiply(const BlockPattern& pattern, const BlockMatrix& matrix, const std::vector<bool>& fixed,
                   const Positions& x);

}  // namespace tulle::projections
