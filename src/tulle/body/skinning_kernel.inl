// SPDX-License-Identifier: Apache-2.0
// The body of skinning_kernel.h, included by one file per instruction set inside an unnamed namespace.

#include "tulle/core/vector4.inl"

// The blended matrix first, then one product.
void linear(const SkinningArrays& a, long begin, long end) {
    for (long v = begin; v < end; ++v) {
        Double4 x = splat4(0), y = splat4(0), z = splat4(0);
        for (long k = v * a.influences; k < (v + 1) * a.influences; ++k) {
            const double* rows = a.transforms + 12 * a.joints[k];
            const Double4 weight = splat4(a.weights[k]);
            x += weight * load4(rows);
            y += weight * load4(rows + 4);
            z += weight * load4(rows + 8);
        }
        const double* p = a.positions + 3 * v;
        const Double4 point = {p[0], p[1], p[2], 1};
        const Double4 moved = row_sums4(x * point, y * point, z * point, splat4(0));
        for (int c = 0; c < 3; ++c) a.skinned[3 * v + c] = moved[c];
    }
}

TULLE_INLINE Double4 cross(Double4 a, Double4 b) {
    const Double4 a_yzx = __builtin_shufflevector(a, a, 1, 2, 0, 3), b_yzx = __builtin_shufflevector(b, b, 1, 2, 0, 3);
    const Double4 c = a * b_yzx - a_yzx * b;
    return __builtin_shufflevector(c, c, 1, 2, 0, 3);
}

// Of unit length after division by |r|²: p + 2 r × (r × p + w p) + 2 (w d − d_w r + r × d).
void dual_quaternions(const SkinningArrays& a, long begin, long end) {
    for (long v = begin; v < end; ++v) {
        Double4 real = splat4(0), dual = splat4(0);
        for (long k = v * a.influences; k < (v + 1) * a.influences; ++k) {
            const double* motion = a.transforms + 8 * a.joints[k];
            const Double4 other = load4(motion);
            const Double4 weight = splat4(sum4(real * other) < 0 ? -a.weights[k] : a.weights[k]);
            real += weight * other;
            dual += weight * load4(motion + 4);
        }
        const Double4 scale = splat4(2 / sum4(real * real));
        const double* p = a.positions + 3 * v;
        const Double4 point = {p[0], p[1], p[2], 0};
        const Double4 w = splat4(real[3]);
        const Double4 turned = cross(real, cross(real, point) + w * point);
        const Double4 shifted = w * dual - splat4(dual[3]) * real + cross(real, dual);
        const Double4 moved = point + scale * (turned + shifted);
        for (int c = 0; c < 3; ++c) a.skinned[3 * v + c] = moved[c];
    }
}
