// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/numerics/aligned_array.h"
#include "tulle/projections/single_blocks.h"

namespace tulle::methods {

// The linear system of a step of a garment, as small as what it is made of: a block at each vertex, and c I − d dᵀ
// between two, which holds a spring (d along it) and bending (in c). Conjugate gradients with it in single precision,
// preconditioned by a symmetric sweep of block Gauss and Seidel, D the diagonal, L and U = Lᵀ the rest:
//
//   (D + L) D⁻¹ (D + U)
//
// in the form of Eisenstat [1981], which costs one product with the matrix an iteration, sweeps included. One thread.
class GarmentSystem {
public:
    // `pairs` in any order, repeated or not.
    GarmentSystem(long vertices, const Edges& pairs);

    const projections::BlockPattern& pattern() const { return pattern_; }

    void clear();
    void add(long vertex, const Matrix3& block);
    void add_between(long pair, double c);
    void put_spring_between(long pair, double c, const Vector3& d);  // the only one there; c adds to that of bending

    // A x = b from x = 0. The residual is measured as the preconditioner does.
    projections::BlockCgReport solve(const Positions& b, Positions& x, const projections::BlockCgSettings& settings);
    // A x, in double precision and written to be read.
    Positions times(const Positions& x) const;

private:
    void invert_diagonal();
    double start(const Positions& b, float scale);
    double apply();
    double advance(float step);
    void turn(float momentum);

    projections::BlockPattern pattern_;
    std::vector<int> first_pair_;                 // |V| + 1: pairs ascend, so those of a smaller end follow one another
    numerics::AlignedArray<float> diagonal_;      // 12 a vertex: three columns of four, the fourth zero
    numerics::AlignedArray<float> between_;       // 4 a pair: d and c
    numerics::AlignedArray<float> inverses_;      // of the diagonal, 12 a vertex
    numerics::AlignedArray<float> x_, residual_;  // from here on 4 a vertex
    numerics::AlignedArray<float> direction_, swept_, image_;
};

}  // namespace tulle::methods
