// SPDX-License-Identifier: Apache-2.0
// Four doubles at once, for kernels that are compiled several times with different instruction sets. Included inside
// an unnamed namespace, so that the copies never meet in the linker; needs no header.
#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is passed across a call

typedef double Double4 __attribute__((vector_size(32)));
typedef double LooseDouble4 __attribute__((vector_size(32), aligned(8), may_alias));

#define TULLE_INLINE inline __attribute__((always_inline))

TULLE_INLINE Double4 load4(const double* from) { return *reinterpret_cast<const LooseDouble4*>(from); }
TULLE_INLINE void store4(double* to, Double4 value) { *reinterpret_cast<LooseDouble4*>(to) = value; }
TULLE_INLINE Double4 splat4(double v) { return Double4{v, v, v, v}; }
// a > b ? a : b lane by lane: b where one is not a number. Compilers make two instructions of the expression.
TULLE_INLINE Double4 larger4(Double4 a, Double4 b) {
#ifdef __AVX__
    return __builtin_ia32_maxpd256(a, b);
#else
    return a > b ? a : b;
#endif
}
TULLE_INLINE Double4 root4(Double4 square) {
#ifdef __AVX__
    return __builtin_ia32_sqrtpd256(square);
#else
    for (int lane = 0; lane < 4; ++lane) square[lane] = __builtin_sqrt(square[lane]);
    return square;
#endif
}
TULLE_INLINE double sum4(Double4 v) { return (v[0] + v[2]) + (v[1] + v[3]); }
TULLE_INLINE double largest4(Double4 v) {
    const double a = v[0] > v[1] ? v[0] : v[1];
    const double b = v[2] > v[3] ? v[2] : v[3];
    return a > b ? a : b;
}
// The sum of the four numbers of each row.
TULLE_INLINE Double4 row_sums4(Double4 r0, Double4 r1, Double4 r2, Double4 r3) {
    const Double4 s01 = __builtin_shufflevector(r0, r1, 0, 4, 2, 6) + __builtin_shufflevector(r0, r1, 1, 5, 3, 7);
    const Double4 s23 = __builtin_shufflevector(r2, r3, 0, 4, 2, 6) + __builtin_shufflevector(r2, r3, 1, 5, 3, 7);
    return __builtin_shufflevector(s01, s23, 0, 1, 4, 5) + __builtin_shufflevector(s01, s23, 2, 3, 6, 7);
}
