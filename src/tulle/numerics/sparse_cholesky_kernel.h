// SPDX-License-Identifier: Apache-2.0
// The dense panel products of the solve, for whole subtrees at a time. Vectors are rows of four floats (x, y, z, 0).
// Every function exists twice, from one source (sparse_cholesky_kernel.inl): with AVX2 and FMA, and for any processor.
#pragma once

#include <cstdint>

namespace tulle::numerics {

// A supernode: `height` × `columns` floats, column by column; see sparse_cholesky_factor.h.
struct Panel {
    std::int64_t values;   // where its floats begin
    std::int64_t offsets;  // where its `height` row offsets begin: rows below, own columns, padding
    int first;             // first column
    int columns;
    int below;   // rows below
    int height;  // below + columns, up to a multiple of 8
};

// Rows are named by their offsets, four times their index, which spares the kernels a multiplication each time.
struct PanelKernels {
    // For each panel upwards: rows[below] += P rows[columns].
    void (*forward)(const Panel* begin, const Panel* end, const float* values, const unsigned* offsets, float* rows);

    // For each panel downwards: rows[columns] = S rows[columns] + Pᵀ rows[below].
    // `scratch` holds 3 floats for each row of the tallest panel.
    void (*backward)(const Panel* begin, const Panel* end, const float* values, const unsigned* offsets, float* rows,
                     float* scratch);

    // The same for a piece of one panel, so that threads can share it.
    // rows[offsets[k]] += (P b)_k for k in [first_row, last_row); first_row is a multiple of 8.
    void (*forward_piece)(const Panel& panel, const float* values, const float* b, int first_row, int last_row,
                          const unsigned* offsets, float* rows);
    // out[j] = ([P; S]ᵀ v)_j for columns j in [first_column, last_column); v as `gather` leaves it.
    void (*backward_piece)(const Panel& panel, const float* values, const float* v, int first_column, int last_column,
                           float* out);
    // v = `count` rows in blocks of eight x, eight y, eight z; count is a multiple of 8.
    void (*gather)(const unsigned* offsets, int count, const float* rows, float* v);
};

extern const PanelKernels portable_panel_kernels;
extern const PanelKernels avx2_panel_kernels;  // equal to the portable ones where the compiler cannot make them

// The fastest for this processor.
const PanelKernels& panel_kernels();

}  // namespace tulle::numerics
