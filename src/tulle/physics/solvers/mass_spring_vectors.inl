// SPDX-License-Identifier: Apache-2.0
// Eight numbers, and eight vectors, at a time: what mass_spring_kernel.inl is written in.

typedef float Float8 __attribute__((vector_size(32)));
typedef float Float4 __attribute__((vector_size(16)));
typedef double Double4 __attribute__((vector_size(32)));
typedef float LooseFloat8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef double LooseDouble4 __attribute__((vector_size(32), aligned(8), may_alias));

#define TULLE_INLINE static inline __attribute__((always_inline))

TULLE_INLINE Float8 load(const float* at) { return *reinterpret_cast<const LooseFloat8*>(at); }
TULLE_INLINE Double4 load(const double* at) { return *reinterpret_cast<const LooseDouble4*>(at); }
TULLE_INLINE void store(float* at, Float8 value) { *reinterpret_cast<LooseFloat8*>(at) = value; }
TULLE_INLINE void store(double* at, Double4 value) { *reinterpret_cast<LooseDouble4*>(at) = value; }
TULLE_INLINE Float8 all(float value) { return Float8{} + value; }

TULLE_INLINE Float8 narrow(Double4 first, Double4 second) {
    const Float4 a = __builtin_convertvector(first, Float4), b = __builtin_convertvector(second, Float4);
    return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
}
TULLE_INLINE Double4 widen_first(Float8 value) {
    return __builtin_convertvector(__builtin_shufflevector(value, value, 0, 1, 2, 3), Double4);
}
TULLE_INLINE Double4 widen_second(Float8 value) {
    return __builtin_convertvector(__builtin_shufflevector(value, value, 4, 5, 6, 7), Double4);
}

// 1/√x for x of at least 1e-30.
TULLE_INLINE Float8 inverse_root(Float8 x) {
#ifdef __AVX2__
    const Float8 guess = __builtin_ia32_rsqrtps256(x);
    return guess * (1.5f - 0.5f * x * guess * guess);  // one Newton correction: 23 bits
#else
    Float8 result;
    for (int i = 0; i < lanes; ++i) result[i] = 1.0f / __builtin_sqrtf(x[i]);
    return result;
#endif
}

struct Vector {
    Float8 x[3];
};

// A row of vectors, a coordinate each. [c] is the one of column c; c may reach into the margins.
struct Row {
    float* x[3];
};

TULLE_INLINE Vector load(const Row& row, long c) {
    return {{load(row.x[0] + c), load(row.x[1] + c), load(row.x[2] + c)}};
}
TULLE_INLINE void store(const Row& row, long c, const Vector& value) {
    for (int i = 0; i < 3; ++i) store(row.x[i] + c, value.x[i]);
}
TULLE_INLINE Vector operator+(const Vector& a, const Vector& b) {
    return {{a.x[0] + b.x[0], a.x[1] + b.x[1], a.x[2] + b.x[2]}};
}
TULLE_INLINE Vector operator-(const Vector& a, const Vector& b) {
    return {{a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]}};
}
TULLE_INLINE Vector operator*(Float8 factor, const Vector& a) {
    return {{factor * a.x[0], factor * a.x[1], factor * a.x[2]}};
}
TULLE_INLINE Float8 dot(const Vector& a, const Vector& b) {
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}
TULLE_INLINE Vector cross(const Vector& a, const Vector& b) {
    return {{a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}
