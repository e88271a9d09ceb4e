// SPDX-License-Identifier: Apache-2.0
// Eight floats at once, for kernels that are compiled several times with different instruction sets. Included inside
// an unnamed namespace, so that the copies never meet in the linker; needs no other header than <cstring>.
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is passed across a call

typedef float Float8 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16)));
typedef float LooseFloat8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float LooseFloat4 __attribute__((vector_size(16), aligned(4), may_alias));

#define TULLE_INLINE inline __attribute__((always_inline))

TULLE_INLINE Float8 load8(const float* from) { return *reinterpret_cast<const LooseFloat8*>(from); }
TULLE_INLINE Float4 load4(const float* from) { return *reinterpret_cast<const LooseFloat4*>(from); }
TULLE_INLINE void store8(float* to, Float8 value) { *reinterpret_cast<LooseFloat8*>(to) = value; }
TULLE_INLINE void store4(float* to, Float4 value) { *reinterpret_cast<LooseFloat4*>(to) = value; }
// Not 0 + value, which the compiler would have to compute for the sake of −0.
TULLE_INLINE Float8 splat(float v) { return Float8{v, v, v, v, v, v, v, v}; }
// a > b ? a : b lane by lane: b where one is not a number. Compilers make two instructions of the expression.
TULLE_INLINE Float8 larger(Float8 a, Float8 b) {
#ifdef __AVX__
    return __builtin_ia32_maxps256(a, b);
#else
    return a > b ? a : b;
#endif
}
TULLE_INLINE Float8 join(Float4 low, Float4 high) { return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7); }
TULLE_INLINE Float4 low_half(Float8 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3); }
TULLE_INLINE Float4 high_half(Float8 v) { return __builtin_shufflevector(v, v, 4, 5, 6, 7); }

// a0 b0 a1 b1 | a4 b4 a5 b5
TULLE_INLINE Float8 unpack_low(Float8 a, Float8 b) { return __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13); }
// a2 b2 a3 b3 | a6 b6 a7 b7
TULLE_INLINE Float8 unpack_high(Float8 a, Float8 b) {
    return __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
}
// a0 a1 b0 b1 | a4 a5 b4 b5
TULLE_INLINE Float8 first_pairs(Float8 a, Float8 b) { return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13); }
// a2 a3 b2 b3 | a6 a7 b6 b7
TULLE_INLINE Float8 second_pairs(Float8 a, Float8 b) {
    return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
}
