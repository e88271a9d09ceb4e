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

// A sum of blocks a I + b n nᵀ.
class SymmetricBlock {
public:
    void add(const float* n, float a, float b) {
        xx_ += a + b * n[0] * n[0];
        yy_ += a + b * n[1] * n[1];
        zz_ += a + b * n[2] * n[2];
        xy_ += b * n[0] * n[1];
        xz_ += b * n[0] * n[2];
        yz_ += b * n[1] * n[2];
    }
    void store(float* to) const {
        const float values[12] = {xx_, xy_, xz_, 0, xy_, yy_, yz_, 0, xz_, yz_, zz_, 0};
        for (int i = 0; i < 12; ++i) to[i] = values[i];
    }

private:
    float xx_ = 0, yy_ = 0, zz_ = 0, xy_ = 0, xz_ = 0, yz_ = 0;
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
