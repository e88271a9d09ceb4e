// SPDX-License-Identifier: Apache-2.0
// The body of admm_kernel_springs.h, included by one file per instruction set inside an unnamed namespace.

#include "tulle/numerics/vector8.inl"

// Beyond this a spring of no length would get an infinite direction; it has none, and no force.
constexpr float smallest_square = 1e-30f;  // [m²]

TULLE_INLINE Float8 inverse_root(Float8 square) {
#if defined(__AVX__)
    // 12 bits, and one Newton step doubles them.
    const Float8 guess = __builtin_ia32_rsqrtps256(square);
    return guess * (1.5f - 0.5f * square * guess * guess);
#else
    Float8 result;
    for (int lane = 0; lane < 8; ++lane) result[lane] = 1.0f / __builtin_sqrtf(square[lane]);
    return result;
#endif
}

// Lane i of each half, in all four lanes of that half.
template <int Lane>
TULLE_INLINE Float8 spread(Float8 v) {
    return __builtin_shufflevector(v, v, Lane, Lane, Lane, Lane, 4 + Lane, 4 + Lane, 4 + Lane, 4 + Lane);
}

// Sum of the four numbers of each row: those of the low halves in lanes 0–3, of the high halves in lanes 4–7.
TULLE_INLINE Float8 row_sums(Float8 r0, Float8 r1, Float8 r2, Float8 r3) {
    const Float8 s01 = unpack_low(r0, r1) + unpack_high(r0, r1);
    const Float8 s23 = unpack_low(r2, r3) + unpack_high(r2, r3);
    return first_pairs(s01, s23) + second_pairs(s01, s23);
}

TULLE_INLINE const float* row_of(const float* rows, int row) { return rows + 4 * static_cast<long>(row); }

TULLE_INLINE Float8 load_rows(const float* rows, int low, int high) {
    return join(load4(row_of(rows, low)), load4(row_of(rows, high)));
}

TULLE_INLINE void add_row(float* rows, int row, Float4 value) {
    float* to = rows + 4 * static_cast<long>(row);
    store4(to, load4(to) + value);
}

TULLE_INLINE void subtract_rows(float* rows, int low, int high, Float8 value) {
    add_row(rows, low, -low_half(value));
    add_row(rows, high, -high_half(value));
}

template <bool First>
TULLE_INLINE void project_block(const SpringBlock& block, SpringArrays& springs, const float* from, float* to) {
    const Float8 owners[2] = {load_rows(from, block.read[0], block.read[1]),
                              load_rows(from, block.read[2], block.read[3])};
    Float8 sums[2] = {};
    for (int group = 0; group < block.groups; ++group) {
        Float8 p[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            p[k] = owners[k & 1] - load_rows(from, springs.read[k], springs.read[4 + k]);
            if (!First) p[k] += 0.5f * load8(springs.multipliers + 8 * k);
        }
        Float8 square = row_sums(p[0] * p[0], p[1] * p[1], p[2] * p[2], p[3] * p[3]);
        square = square > smallest_square ? square : Float8{} + smallest_square;
        const Float8 scale = load8(springs.rest) * inverse_root(square);  // q = scale p
        const Float8 pull = load8(springs.stiffness) * scale;
        const Float8 scales[4] = {spread<0>(scale), spread<1>(scale), spread<2>(scale), spread<3>(scale)};
        const Float8 pulls[4] = {spread<0>(pull), spread<1>(pull), spread<2>(pull), spread<3>(pull)};
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            store8(springs.multipliers + 8 * k, p[k] - scales[k] * p[k]);
            const Float8 force = pulls[k] * p[k];
            sums[k & 1] += force;
            subtract_rows(to, springs.write[k], springs.write[4 + k], force);
        }
        springs.read += 8;
        springs.write += 8;
        springs.rest += 8;
        springs.stiffness += 8;
        springs.multipliers += 32;
    }
    add_row(to, block.write[0], low_half(sums[0]));
    add_row(to, block.write[1], high_half(sums[0]));
    add_row(to, block.write[2], low_half(sums[1]));
    add_row(to, block.write[3], high_half(sums[1]));
}

void project_springs(const SpringBlock* begin, const SpringBlock* end, const SpringArrays& springs, const float* from,
                     float* to, bool first) {
    SpringArrays rest = springs;
    if (first)
        for (const SpringBlock* block = begin; block != end; ++block) project_block<true>(*block, rest, from, to);
    else
        for (const SpringBlock* block = begin; block != end; ++block) project_block<false>(*block, rest, from, to);
}
