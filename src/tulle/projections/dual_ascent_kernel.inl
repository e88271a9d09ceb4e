// SPDX-License-Identifier: Apache-2.0
// The body of dual_ascent_kernel.h, included by one file per instruction set inside an unnamed namespace.

#include "tulle/core/vector4.inl"

// An edge of no length and no pull would get an infinite factor; with this it has none.
constexpr double smallest_length = 1e-150;

double move(const AscentArrays& a, long begin, long end) {
    Double4 moved = splat4(0);
    for (long v = begin; v < end; ++v) {
        const int* pull = a.pulls + a.first_pulls[v];
        const int* minuses = a.pulls + a.first_minuses[v];
        const int* last = a.pulls + a.first_pulls[v + 1];
        Double4 sum = splat4(0);
        for (; pull < minuses; ++pull) sum += load4(a.leads + *pull);
        for (; pull < last; ++pull) sum -= load4(a.leads + *pull);
        const Double4 shift = a.mobility[v] * sum;
        moved += shift * sum;
        store4(a.positions + 4 * v, load4(a.targets + 4 * v) - shift);
    }
    return 0.5 * sum4(moved);
}

template <bool Check>
TULLE_INLINE AscentSums ascend_block(const AscentArrays& a, long begin, long end, double momentum,
                                     const double* lengths) {
    Double4 turning = splat4(0), slackness = splat4(0), weight = splat4(0), violation = splat4(0);
    for (long e = begin; e < end; e += 4) {
        Double4 d[4], y[4], p[4];
        for (int k = 0; k < 4; ++k) {
            const unsigned* ends = a.ends + 2 * (e + k);
            d[k] = load4(a.positions + ends[0]) - load4(a.positions + ends[1]);
            y[k] = load4(a.leads + 4 * (e + k));
            p[k] = y[k] + a.steps[e + k] * d[k];
        }
        const Double4 threshold = load4(a.thresholds + e);
        const Double4 length =
            larger4(root4(row_sums4(p[0] * p[0], p[1] * p[1], p[2] * p[2], p[3] * p[3])), splat4(smallest_length));
        const Double4 kept = larger4(1 - threshold / length, splat4(0));
        if (Check) {
            const Double4 yy = root4(row_sums4(y[0] * y[0], y[1] * y[1], y[2] * y[2], y[3] * y[3]));
            const Double4 dd = root4(row_sums4(d[0] * d[0], d[1] * d[1], d[2] * d[2], d[3] * d[3]));
            const Double4 limit = threshold * load4(a.inverse_steps + e);
            weight += limit * yy;
            slackness += limit * yy - row_sums4(y[0] * d[0], y[1] * d[1], y[2] * d[2], y[3] * d[3]);
            violation = larger4(violation, (dd - limit) / load4(lengths + e));
        }
        for (int k = 0; k < 4; ++k) {
            double* multiplier = a.multipliers + 4 * (e + k);
            const Double4 next = kept[k] * p[k];
            const Double4 change = next - load4(multiplier);
            turning += (a.inverse_steps[e + k] * (y[k] - next)) * change;
            store4(multiplier, next);
            store4(a.leads + 4 * (e + k), next + momentum * change);
        }
    }
    return {sum4(turning), sum4(slackness), sum4(weight), largest4(violation)};
}

AscentSums ascend(const AscentArrays& arrays, long begin, long end, double momentum, const double* lengths) {
    return lengths ? ascend_block<true>(arrays, begin, end, momentum, lengths)
                   : ascend_block<false>(arrays, begin, end, momentum, lengths);
}
