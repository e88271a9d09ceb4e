// SPDX-License-Identifier: Apache-2.0
// Which pairs of parts need a closer look? Bounds on their distances, eight pairs at a time in single precision; the
// plain twin is separation.h. One source (pair_kernel.inl), compiled for AVX2 and FMA and for any processor.
#pragma once

namespace tulle::collision {

// Pairs of one kind: the four vertices of each as in separation.h, and a multiple of eight of them.
struct PairBatch {
    bool edge_edge = false;  // or of a vertex and a triangle
    const int (*vertices)[4] = nullptr;
    int count = 0;
};

// A straight motion of all vertices, four floats each, of which the last is not read [m].
struct RowMotion {
    const float* start = nullptr;
    const float* end = nullptr;
};

struct PairKernel {
    // bounds[i] [m]: pair i stays at least that far apart on its way.
    void (*bound_distances)(const PairBatch& pairs, const RowMotion& motion, float* bounds);
    // meets[i] = 0: pair i ends farther apart than `thickness` and stays farther apart than `gap` on its way [m].
    void (*find_meetings)(const PairBatch& pairs, const RowMotion& motion, float thickness, float gap, char* meets);
};

extern const PairKernel portable_pair_kernel;
extern const PairKernel avx2_pair_kernel;

// The fastest for this processor.
const PairKernel& pair_kernel();

}  // namespace tulle::collision
