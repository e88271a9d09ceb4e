// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/single_blocks.h"

#include "tulle/core/parallel.h"
#include "tulle/numerics/team_barrier.h"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tulle::projections {

namespace {

#include "tulle/core/vector8.inl"

using Floats = numerics::AlignedArray<float>;

constexpr long block = 256;  // rows whose sums are taken together

TULLE_INLINE Float4 times(const float* columns, Float4 x) {
    return load4(columns) * x[0] + load4(columns + 4) * x[1] + load4(columns + 8) * x[2];
}
TULLE_INLINE double sum_of(Float4 v) { return (static_cast<double>(v[0]) + v[1]) + v[2]; }

void store_block(float* to, const Matrix3& matrix) {
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) to[4 * c + r] = static_cast<float>(matrix(r, c));
}

// One solve, by all threads of a team.
class BlockCg {
public:
    BlockCg(const BlockPattern& pattern, const SingleBlocks& matrix, const std::vector<bool>& fixed,
            const BlockCgSettings& settings)
        : pattern_(pattern),
          matrix_(matrix),
          settings_(settings),
          fixed_(fixed),
          vertices_(pattern.vertices()),
          blocks_((vertices_ + block - 1) / block),
          x_(rows()),
          residual_(rows()),
          direction_(rows()),
          image_(rows()),
          inverses_(3 * rows()),
          curvatures_(static_cast<size_t>(blocks_)),
          squares_(curvatures_),
          products_(curvatures_) {}

    BlockCgReport solve(const Positions& b, Positions& x) {
        // Single precision has a narrow range of sizes: the right-hand side is scaled, and the answer back.
        double largest = 0;
        for (long v = 0; v < vertices_; ++v)
            if (!fixed_[static_cast<size_t>(v)]) largest = std::max(largest, b.row(v).cwiseAbs().maxCoeff());
        x = Positions::Zero(vertices_, 3);
        if (largest == 0) return {.iterations = 0, .residual = 0};
        for (long v = 0; v < vertices_; ++v)
            if (!fixed_[static_cast<size_t>(v)])
                for (int c = 0; c < 3; ++c) residual_.data()[4 * v + c] = static_cast<float>(b(v, c) / largest);
#pragma omp parallel num_threads(vertices_ < 2 * block ? 1 : thread_count())
        run();
        for (long v = 0; v < vertices_; ++v)
            for (int c = 0; c < 3; ++c) x(v, c) = largest * static_cast<double>(x_.data()[4 * v + c]);
        return report_;
    }

private:
    size_t rows() const { return static_cast<size_t>(4 * vertices_); }
    static double total(const std::vector<double>& parts) {
        double sum = 0;
        for (const double part : parts) sum += part;
        return sum;
    }
    std::pair<long, long> rows_of(long b) const { return {b * block, std::min(vertices_, (b + 1) * block)}; }

    void run() {
        BlockCgReport report;
        const long threads = omp_get_num_threads(), thread = omp_get_thread_num();
        const long begin = blocks_ * thread / threads, end = blocks_ * (thread + 1) / threads;
        for (long b = begin; b < end; ++b) start(b);
        barrier_.wait();
        double rho = total(products_);
        const double first = total(squares_);
        while (report.iterations < settings_.max_iterations) {
            for (long b = begin; b < end; ++b) multiply_by_direction(b);
            barrier_.wait();
            const double curvature = total(curvatures_);
            if (!(curvature > 0)) {
                report.negative_curvature = true;
                break;
            }
            for (long b = begin; b < end; ++b) advance(b, static_cast<float>(rho / curvature));
            barrier_.wait();
            ++report.iterations;
            report.residual = std::sqrt(total(squares_) / first);
            if (!(report.residual > settings_.tolerance)) break;
            const double next = total(products_);
            for (long b = begin; b < end; ++b) turn(b, static_cast<float>(next / rho));
            rho = next;
            barrier_.wait();
        }
        if (thread == 0) report_ = report;
    }

    void sum_up(long b, double square, double product) {
        squares_[static_cast<size_t>(b)] = square;
        products_[static_cast<size_t>(b)] = product;
    }

    // P, d = P r, and the sums r·r and r·P r.
    void start(long b) {
        const auto [begin, end] = rows_of(b);
        double square = 0, product = 0;
        for (long v = begin; v < end; ++v) {
            if (fixed_[static_cast<size_t>(v)]) continue;
            const Eigen::Map<const Eigen::Matrix<float, 4, 3>> own(matrix_.diagonal.data() + 12 * v);
            store_block(inverses_.data() + 12 * v, own.topRows<3>().cast<double>().inverse());
            const Float4 r = load4(residual_.data() + 4 * v);
            const Float4 z = times(inverses_.data() + 12 * v, r);
            store4(direction_.data() + 4 * v, z);
            square += sum_of(r * r);
            product += sum_of(r * z);
        }
        sum_up(b, square, product);
    }

    // A d and d·A d. Directions of fixed vertices are zero.
    void multiply_by_direction(long b) {
        const auto [begin, end] = rows_of(b);
        double curvature = 0;
        const int* first = pattern_.first_neighbours().data();
        const BlockPattern::Neighbour* neighbours = pattern_.neighbours().data();
        for (long v = begin; v < end; ++v) {
            if (fixed_[static_cast<size_t>(v)]) continue;
            const Float4 own = load4(direction_.data() + 4 * v);
            Float4 sum = times(matrix_.diagonal.data() + 12 * v, own);
            for (int k = first[v]; k < first[v + 1]; ++k)
                sum += times(matrix_.between.data() + 12L * neighbours[k].pair,
                             load4(direction_.data() + 4L * neighbours[k].vertex));
            store4(image_.data() + 4 * v, sum);
            curvature += sum_of(sum * own);
        }
        curvatures_[static_cast<size_t>(b)] = curvature;
    }

    // x += step d, r −= step A d, and the sums r·r and r·P r.
    void advance(long b, float step) {
        const auto [begin, end] = rows_of(b);
        double square = 0, product = 0;
        for (long v = begin; v < end; ++v) {
            store4(x_.data() + 4 * v, load4(x_.data() + 4 * v) + step * load4(direction_.data() + 4 * v));
            const Float4 r = load4(residual_.data() + 4 * v) - step * load4(image_.data() + 4 * v);
            store4(residual_.data() + 4 * v, r);
            square += sum_of(r * r);
            product += sum_of(r * times(inverses_.data() + 12 * v, r));
        }
        sum_up(b, square, product);
    }

    // d = P r + momentum d
    void turn(long b, float momentum) {
        const auto [begin, end] = rows_of(b);
        for (long v = begin; v < end; ++v)
            store4(direction_.data() + 4 * v, times(inverses_.data() + 12 * v, load4(residual_.data() + 4 * v)) +
                                                  momentum * load4(direction_.data() + 4 * v));
    }

    const BlockPattern& pattern_;
    const SingleBlocks& matrix_;
    const BlockCgSettings& settings_;
    const std::vector<bool>& fixed_;
    long vertices_, blocks_;
    Floats x_, residual_, direction_, image_, inverses_;
    std::vector<double> curvatures_, squares_, products_;  // of each block of rows
    numerics::TeamBarrier barrier_;
    BlockCgReport report_;
};

}  // namespace

SingleBlocks::SingleBlocks(const BlockPattern& pattern, const BlockMatrix& matrix) : SingleBlocks(pattern) {
    parallel_for(pattern.vertices(),
                 [&](long v) { store_block(diagonal.data() + 12 * v, matrix.diagonal[static_cast<size_t>(v)]); });
    parallel_for(pattern.pairs(),
                 [&](long p) { store_block(between.data() + 12 * p, matrix.between[static_cast<size_t>(p)]); });
}

BlockCgReport solve_single(const BlockPattern& pattern, const SingleBlocks& matrix, const std::vector<bool>& fixed,
                           const Positions& b, Positions& x, const BlockCgSettings& settings) {
    return BlockCg(pattern, matrix, fixed, settings).solve(b, x);
}

Positions multiply(const BlockPattern& pattern, const BlockMatrix& matrix, const std::vector<bool>& fixed,
                   const Positions& x) {
    Positions product = Positions::Zero(x.rows(), 3);
    parallel_for(x.rows(), [&](long row) {
        const auto v = static_cast<size_t>(row);
        if (fixed[v]) return;
        Vector3 sum = matrix.diagonal[v] * x.row(row).transpose();
        for (int k = pattern.first_neighbours()[v]; k < pattern.first_neighbours()[v + 1]; ++k) {
            const auto& [other, pair] = pattern.neighbours()[static_cast<size_t>(k)];
            if (!fixed[static_cast<size_t>(other)])
                sum += matrix.between[static_cast<size_t>(pair)] * x.row(other).transpose();
        }
        product.row(row) = sum;
    });
    return product;
}

}  // namespace tulle::projections
