// SPDX-License-Identifier: Apache-2.0
// The body of sparse_cholesky_kernel.h, included by one file per instruction set inside an unnamed namespace.

#include "tulle/core/vector8.inl"

// Eight rows (x, y, z, 0) ↔ eight x, eight y, eight z.
TULLE_INLINE void gather_rows(const unsigned* offsets, const float* rows, Float8& x, Float8& y, Float8& z) {
    const auto row = [&](int k) { return load4(rows + offsets[k]); };
    const Float8 r04 = join(row(0), row(4)), r15 = join(row(1), row(5));
    const Float8 r26 = join(row(2), row(6)), r37 = join(row(3), row(7));
    const Float8 xy01 = unpack_low(r04, r15), xy23 = unpack_low(r26, r37);
    x = first_pairs(xy01, xy23);
    y = second_pairs(xy01, xy23);
    z = first_pairs(unpack_high(r04, r15), unpack_high(r26, r37));
}

TULLE_INLINE void add_to_rows(Float8 x, Float8 y, Float8 z, const unsigned* offsets, int count, float* rows) {
    const Float8 zero = {};
    const Float8 xy_low = unpack_low(x, y), xy_high = unpack_high(x, y);
    const Float8 z_low = unpack_low(z, zero), z_high = unpack_high(z, zero);
    const Float8 r04 = first_pairs(xy_low, z_low), r15 = second_pairs(xy_low, z_low);
    const Float8 r26 = first_pairs(xy_high, z_high), r37 = second_pairs(xy_high, z_high);
    const Float4 updates[8] = {low_half(r04),  low_half(r15),  low_half(r26),  low_half(r37),
                               high_half(r04), high_half(r15), high_half(r26), high_half(r37)};
    const auto add = [&](int k) {
        float* row = rows + offsets[k];
        store4(row, load4(row) + updates[k]);
    };
    if (count >= 8) {
#pragma GCC unroll 8
        for (int k = 0; k < 8; ++k) add(k);
    } else {
        for (int k = 0; k < count; ++k) add(k);
    }
}

// Blocks × 8 rows of P times b. Few rows leave too few independent sums to fill the units, so that columns then go
// Ways at a time into separate sums.
template <int Blocks, int Ways>
TULLE_INLINE void forward_tile(const float* panel, int height, int columns, const float* b, const unsigned* offsets,
                               int count, float* rows) {
    Float8 x[Ways][Blocks] = {}, y[Ways][Blocks] = {}, z[Ways][Blocks] = {};
    int j = 0;
    const auto add_column = [&](int way, const float* column, const float* bj) {
        const Float8 bx = splat(bj[0]), by = splat(bj[1]), bz = splat(bj[2]);
#pragma GCC unroll 4
        for (int k = 0; k < Blocks; ++k) {
            const Float8 p = load8(column + 8 * k);
            x[way][k] += p * bx;
            y[way][k] += p * by;
            z[way][k] += p * bz;
        }
    };
    for (; j + Ways <= columns; j += Ways, panel += static_cast<long>(Ways) * height, b += 4 * Ways)
#pragma GCC unroll 4
        for (int way = 0; way < Ways; ++way) add_column(way, panel + static_cast<long>(way) * height, b + 4 * way);
    for (; j < columns; ++j, panel += height, b += 4) add_column(0, panel, b);
#pragma GCC unroll 4
    for (int k = 0; k < Blocks; ++k) {
#pragma GCC unroll 4
        for (int way = 1; way < Ways; ++way) {
            x[0][k] += x[way][k];
            y[0][k] += y[way][k];
            z[0][k] += z[way][k];
        }
        add_to_rows(x[0][k], y[0][k], z[0][k], offsets + 8 * k, count - 8 * k, rows);
    }
}

TULLE_INLINE void forward_rows(const Panel& panel, const float* values, const float* b, int first_row, int last_row,
                               const unsigned* offsets, float* rows) {
    int row = first_row;
    const auto tile = [&]<int Blocks, int Ways>() {
        forward_tile<Blocks, Ways>(values + row, panel.height, panel.columns, b, offsets + row, last_row - row, rows);
        row += 8 * Blocks;
    };
    while (last_row - row > 32 || (last_row - row > 16 && last_row - row <= 24)) tile.template operator()<3, 1>();
    while (last_row - row > 8) tile.template operator()<2, 1>();
    if (last_row > row) tile.template operator()<1, 2>();
}

// (Σx, Σy, Σz, 0) of eight partial sums.
TULLE_INLINE Float4 sum_lanes(Float8 x, Float8 y, Float8 z) {
    const Float8 zero = {};
    const Float8 xy = unpack_low(x, y) + unpack_high(x, y);
    const Float8 z0 = unpack_low(z, zero) + unpack_high(z, zero);
    const Float8 xyz = first_pairs(xy, z0) + second_pairs(xy, z0);
    return low_half(xyz) + high_half(xyz);
}

template <int Columns>
TULLE_INLINE void backward_tile(const float* panel, int height, const float* v, float* out) {
    Float8 x[Columns] = {}, y[Columns] = {}, z[Columns] = {};
    for (int row = 0; row < height; row += 8, v += 24) {
        const Float8 vx = load8(v), vy = load8(v + 8), vz = load8(v + 16);
#pragma GCC unroll 4
        for (int c = 0; c < Columns; ++c) {
            const Float8 p = load8(panel + static_cast<long>(c) * height + row);
            x[c] += p * vx;
            y[c] += p * vy;
            z[c] += p * vz;
        }
    }
#pragma GCC unroll 4
    for (int c = 0; c < Columns; ++c) store4(out + 4 * c, sum_lanes(x[c], y[c], z[c]));
}

TULLE_INLINE void backward_columns(const Panel& panel, const float* values, const float* v, int first_column,
                                   int last_column, float* out) {
    int column = first_column;
    const auto tile = [&]<int Columns>() {
        backward_tile<Columns>(values + static_cast<long>(column) * panel.height, panel.height, v, out + 4 * column);
        column += Columns;
    };
    while (last_column - column > 5 || last_column - column == 4) tile.template operator()<4>();
    while (last_column - column >= 3) tile.template operator()<3>();
    if (last_column - column == 2) tile.template operator()<2>();
    if (last_column - column == 1) tile.template operator()<1>();
}

void gather(const unsigned* offsets, int count, const float* rows, float* v) {
    for (int k = 0; k < count; k += 8, v += 24) {
        Float8 x, y, z;
        gather_rows(offsets + k, rows, x, y, z);
        store8(v, x);
        store8(v + 8, y);
        store8(v + 16, z);
    }
}

void forward_piece(const Panel& panel, const float* values, const float* b, int first_row, int last_row,
                   const unsigned* offsets, float* rows) {
    forward_rows(panel, values, b, first_row, last_row, offsets, rows);
}

void backward_piece(const Panel& panel, const float* values, const float* v, int first_column, int last_column,
                    float* out) {
    backward_columns(panel, values, v, first_column, last_column, out);
}

void forward(const Panel* begin, const Panel* end, const float* values, const unsigned* offsets, float* rows) {
    for (const Panel* panel = begin; panel != end; ++panel)
        forward_rows(*panel, values + panel->values, rows + 4 * static_cast<long>(panel->first), 0, panel->below,
                     offsets + panel->offsets, rows);
}

void backward(const Panel* begin, const Panel* end, const float* values, const unsigned* offsets, float* rows,
              float* scratch) {
    for (const Panel* panel = end; panel-- != begin;) {
        gather(offsets + panel->offsets, panel->height, rows, scratch);
        backward_columns(*panel, values + panel->values, scratch, 0, panel->columns,
                         rows + 4 * static_cast<long>(panel->first));
    }
}
