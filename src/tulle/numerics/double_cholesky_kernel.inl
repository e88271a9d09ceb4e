// SPDX-License-Identifier: Apache-2.0
// The body of double_cholesky_kernel.h, included by one file per instruction set inside an unnamed namespace.

#pragma GCC diagnostic ignored "-Wpsabi"  // nothing here is passed across a call

typedef double Double4 __attribute__((vector_size(32)));
typedef double LooseDouble4 __attribute__((vector_size(32), aligned(8), may_alias));

#define TULLE_INLINE inline __attribute__((always_inline))

TULLE_INLINE Double4 load4(const double* from) { return *reinterpret_cast<const LooseDouble4*>(from); }
TULLE_INLINE void store4(double* to, Double4 value) { *reinterpret_cast<LooseDouble4*>(to) = value; }
TULLE_INLINE Double4 splat(double v) { return Double4{v, v, v, v}; }

// A tile of C −= A Bᵀ, Vectors × 4 rows and 4 columns. A and B are `depth` columns long, `stride` apart.
template <int Vectors>
TULLE_INLINE void subtract_tile(const double* a, const double* b, long stride, int depth, double* c, long c_stride) {
    Double4 sums[4][Vectors] = {};
    for (int k = 0; k < depth; ++k, a += stride, b += stride)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) {
            const Double4 factor = splat(b[j]);
#pragma GCC unroll 4
            for (int i = 0; i < Vectors; ++i) sums[j][i] += load4(a + 4 * i) * factor;
        }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j)
#pragma GCC unroll 4
        for (int i = 0; i < Vectors; ++i) {
            double* to = c + j * c_stride + 4 * i;
            store4(to, load4(to) - sums[j][i]);
        }
}

// Four columns of C −= A Bᵀ, where B is the first four rows of A.
TULLE_INLINE void subtract_columns(const double* a, long stride, int depth, int rows, double* c, long c_stride) {
    int row = 0;
    for (; row + 12 <= rows; row += 12) subtract_tile<3>(a + row, a, stride, depth, c + row, c_stride);
    if (row + 8 <= rows) subtract_tile<2>(a + row, a, stride, depth, c + row, c_stride);
    if (row + 4 == rows) subtract_tile<1>(a + row, a, stride, depth, c + row, c_stride);
}

// a −= factor · b
TULLE_INLINE void subtract_scaled(double* __restrict a, double factor, const double* __restrict b, int count) {
    for (int i = 0; i < count; ++i) a[i] -= factor * b[i];
}

// Left-looking, four columns at a time.
int factor(const Front& front, double* values) {
    const long stride = front.height;
    for (int first = 0; first < front.columns; first += 4) {
        const int rows = front.height - first;
        double* block = values + first * stride + first;
        subtract_columns(values + first, stride, first, rows, block, stride);
        for (int j = 0; j < 4 && first + j < front.columns; ++j) {
            double* column = block + j * stride;
            const double pivot = column[j];
            if (!(pivot > 0 && pivot <= __DBL_MAX__)) return first + j;
            const double root = __builtin_sqrt(pivot);
            for (int i = j; i < rows; ++i) column[i] /= root;
            for (int k = j + 1; k < 4; ++k) subtract_scaled(column + (k - j) * stride, column[k], column, rows);
        }
    }
    return front.columns;
}

void update(const Front& front, const double* values, double* update) {
    const long stride = front.below;
    for (int first = 0; first < front.below; first += 4)
        subtract_columns(values + front.width + first, front.height, front.columns, front.below - first,
                         update + first * stride + first, stride);
}

void forward(const Front& front, const double* values, double* rows) {
    for (int j = 0; j < front.columns; ++j, values += front.height) {
        rows[j] /= values[j];
        subtract_scaled(rows + j + 1, rows[j], values + j + 1, front.height - j - 1);
    }
}

// Eight sums side by side, because the order of additions is fixed and one sum would wait for itself.
TULLE_INLINE double dot(const double* a, const double* b, int count) {
    Double4 even = {}, odd = {};
    double rest = 0;
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        even += load4(a + i) * load4(b + i);
        odd += load4(a + i + 4) * load4(b + i + 4);
    }
    for (; i < count; ++i) rest += a[i] * b[i];
    even += odd;
    return (even[0] + even[1]) + (even[2] + even[3]) + rest;
}

void backward(const Front& front, const double* values, double* rows) {
    for (int j = front.columns; j-- > 0;) {
        const double* column = values + static_cast<long>(j) * front.height;
        rows[j] = (rows[j] - dot(column + j + 1, rows + j + 1, front.height - j - 1)) / column[j];
    }
}
