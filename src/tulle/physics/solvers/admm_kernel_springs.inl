// SPDX-License-Identifier: Apache-2.0
// The body of admm_kernel_springs.h, included by one file per instruction set inside an unnamed namespace.

#include "tulle/core/vector8.inl"

// A spring of no length would get an infinite direction; with this it has none, and no force.
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

TULLE_INLINE Float8 load_rows(const float* rows, unsigned low, unsigned high) {
    return join(load4(rows + low), load4(rows + high));
}

TULLE_INLINE void add_row(float* rows, unsigned row, Float4 value) { store4(rows + row, load4(rows + row) + value); }

TULLE_INLINE void subtract_rows(float* rows, unsigned low, unsigned high, Float8 value) {
    add_row(rows, low, -low_half(value));
    add_row(rows, high, -high_half(value));
}

// Springs that are worked on together, one stage after the other: within one group each stage would wait for the one
// before (a fifth slower).
constexpr int batch_groups = 2 * most_block_groups;

struct Batch {
    float p[32 * batch_groups];      // x_a − x_b + u
    float scales[8 * batch_groups];  // first |p|², then L/|p|; with shares u/p
    float pulls[8 * batch_groups];   // Δt² k L/|p|; with shares Δt² w² (1 − 2u/p)
};

template <bool First, bool Weighted>
TULLE_INLINE void measure_block(const SpringBlock& block, const SpringArrays& springs, int first, const float* from,
                                Batch& batch) {
    const Float8 owners[2] = {load_rows(from, block.read[0], block.read[1]),
                              load_rows(from, block.read[2], block.read[3])};
    for (int group = first; group < first + block.groups; ++group) {
        const unsigned* read = springs.read + 8 * group;
        Float8 p[4];
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            p[k] = owners[k & 1] - load_rows(from, read[k], read[4 + k]);
            if (!First) p[k] += (Weighted ? 1.0f : 0.5f) * load8(springs.multipliers + 32 * group + 8 * k);
            store8(batch.p + 32 * group + 8 * k, p[k]);
        }
        store8(batch.scales + 8 * group, row_sums(p[0] * p[0], p[1] * p[1], p[2] * p[2], p[3] * p[3]));
    }
}

TULLE_INLINE void scale_batch(const SpringArrays& springs, int groups, Batch& batch) {
    for (int lane = 0; lane < 8 * groups; lane += 8) {
        const Float8 scale = load8(springs.rest + lane) * inverse_root(load8(batch.scales + lane) + smallest_square);
        store8(batch.scales + lane, scale);
        store8(batch.pulls + lane, load8(springs.stiffness + lane) * scale);
    }
}

// A compressed spring keeps this part of its length when its tension is put back, so that it never turns round.
constexpr float shortest = 0.1f;

// The same for springs with shares. In the first pass `batch.p` is the spring alone, without u.
template <bool First>
TULLE_INLINE void weigh_batch(const SpringArrays& springs, int groups, Batch& batch) {
    for (int lane = 0; lane < 8 * groups; lane += 8) {
        const Float8 square = load8(batch.scales + lane) + smallest_square;
        const Float8 inverse = inverse_root(square);
        Float8 length = square * inverse, gain = splat(1), inverse_length = inverse;
        if (First) {
            length = larger(length + load8(springs.pulls + lane), shortest * length);
            gain = length * inverse;
            inverse_length = 1.0f / length;
        }
        const Float8 share = load8(springs.shares + lane);
        const Float8 scale = share - share * load8(springs.rest + lane) * inverse_length;
        store8(springs.pulls + lane, scale * length);
        store8(batch.scales + lane, gain * scale);
        store8(batch.pulls + lane, load8(springs.stiffness + lane) * (gain - 2.0f * gain * scale));
    }
}

template <bool Weighted>
TULLE_INLINE void pull_block(const SpringBlock& block, const SpringArrays& springs, int first, const Batch& batch,
                             float* to) {
    Float8 sums[2] = {};
    for (int group = first; group < first + block.groups; ++group) {
        const Float8 scale = load8(batch.scales + 8 * group), pull = load8(batch.pulls + 8 * group);
        const Float8 scales[4] = {spread<0>(scale), spread<1>(scale), spread<2>(scale), spread<3>(scale)};
        const Float8 pulls[4] = {spread<0>(pull), spread<1>(pull), spread<2>(pull), spread<3>(pull)};
        const unsigned* write = springs.write + 8 * group;
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
            const Float8 p = load8(batch.p + 32 * group + 8 * k);
            store8(springs.multipliers + 32 * group + 8 * k, Weighted ? scales[k] * p : p - scales[k] * p);
            const Float8 force = pulls[k] * p;
            sums[k & 1] += force;
            subtract_rows(to, write[k], write[4 + k], force);
        }
    }
    add_row(to, block.write[0], low_half(sums[0]));
    add_row(to, block.write[1], high_half(sums[0]));
    add_row(to, block.write[2], low_half(sums[1]));
    add_row(to, block.write[3], high_half(sums[1]));
}

template <bool First, bool Weighted>
TULLE_INLINE void project_all(const SpringBlock* begin, const SpringBlock* end, SpringArrays springs, const float* from,
                              float* to) {
    Batch batch;
    while (begin != end) {
        int groups = 0;
        const SpringBlock* stop = begin;
        for (; stop != end && groups + stop->groups <= batch_groups; groups += stop->groups, ++stop)
            measure_block<First, Weighted>(*stop, springs, groups, from, batch);
        if (Weighted)
            weigh_batch<First>(springs, groups, batch);
        else
            scale_batch(springs, groups, batch);
        for (int first = 0; begin != stop; first += begin->groups, ++begin)
            pull_block<Weighted>(*begin, springs, first, batch, to);
        springs.read += 8 * groups;
        springs.write += 8 * groups;
        springs.rest += 8 * groups;
        springs.stiffness += 8 * groups;
        springs.multipliers += 32 * groups;
        if (Weighted) {
            springs.shares += 8 * groups;
            springs.pulls += 8 * groups;
        }
    }
}

void project_springs(const SpringBlock* begin, const SpringBlock* end, const SpringArrays& springs, const float* from,
                     float* to, bool first) {
    if (springs.shares)
        (first ? project_all<true, true> : project_all<false, true>)(begin, end, springs, from, to);
    else
        (first ? project_all<true, false> : project_all<false, false>)(begin, end, springs, from, to);
}
