// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_system.h"

#include <Eigen/LU>

#include <cmath>
#include <cstring>

namespace tulle::methods {

namespace {

#include "tulle/core/vector8.inl"

TULLE_INLINE float sum_of(Float4 v) { return (v[0] + v[1]) + v[2]; }
TULLE_INLINE Float4 all(float v) { return Float4{v, v, v, v}; }
TULLE_INLINE Float4 times_block(const float* columns, Float4 x) {
    return load4(columns) * x[0] + load4(columns + 4) * x[1] + load4(columns + 8) * x[2];
}
// (c I − d dᵀ) x. The fourth lane, which is c x₃, is zero as long as that of x is.
TULLE_INLINE Float4 times_pair(Float4 pair, Float4 x) {
    const Float4 product = pair * x;
    return all(pair[3]) * x - all(sum_of(product)) * Float4{pair[0], pair[1], pair[2], 0};
}

numerics::AlignedArray<float> floats(long count) { return numerics::AlignedArray<float>(static_cast<size_t>(count)); }

}  // namespace

GarmentSystem::GarmentSystem(long vertices, const Edges& pairs)
    : pattern_(vertices, pairs),
      first_pair_(static_cast<size_t>(vertices) + 1, 0),
      diagonal_(floats(12 * vertices)),
      between_(floats(4 * pattern_.pairs())),
      inverses_(floats(12 * vertices)),
      x_(floats(4 * vertices)),
      residual_(floats(4 * vertices)),
      direction_(floats(4 * vertices)),
      swept_(floats(4 * vertices)),
      image_(floats(4 * vertices)) {
    for (const auto& pair : pattern_.pair_list().rowwise()) ++first_pair_[static_cast<size_t>(pair(0)) + 1];
    for (size_t v = 0; v + 1 < first_pair_.size(); ++v) first_pair_[v + 1] += first_pair_[v];
}

void GarmentSystem::clear() {
    for (auto* array : {&diagonal_, &between_}) std::memset(array->data(), 0, array->size() * sizeof(float));
}

void GarmentSystem::add(long vertex, const Matrix3& block) {
    float* to = diagonal_.data() + 12 * vertex;
    for (int c = 0; c < 3; ++c)
        for (int r = 0; r < 3; ++r) to[4 * c + r] += static_cast<float>(block(r, c));
}

void GarmentSystem::add_between(long pair, double c) { between_.data()[4 * pair + 3] += static_cast<float>(c); }

void GarmentSystem::put_spring_between(long pair, double c, const Vector3& d) {
    for (int i = 0; i < 3; ++i) between_.data()[4 * pair + i] = static_cast<float>(d(i));
    add_between(pair, c);
}

// With t = (D + U)⁻¹ p, the matrix of the preconditioned system Â = (D + L)⁻¹ A (D + U)⁻¹ takes a direction p to
// Â p = t + (D + L)⁻¹ U t, since A = (D + L) + U and U t = p − D t. Its own preconditioner is D.
projections::BlockCgReport GarmentSystem::solve(const Positions& b, Positions& x,
                                                const projections::BlockCgSettings& settings) {
    // Single precision has a narrow range of sizes: the right-hand side is scaled, and the answer back.
    const double largest = b.cwiseAbs().maxCoeff();
    x = Positions::Zero(b.rows(), 3);
    if (largest == 0) return {.iterations = 0, .residual = 0};
    invert_diagonal();
    projections::BlockCgReport report;
    const double first = start(b, static_cast<float>(1 / largest));
    double rho = first;
    while (report.iterations < settings.max_iterations) {
        const double curvature = apply();
        if (!(curvature > 0)) {
            report.negative_curvature = true;
            break;
        }
        const double next = advance(static_cast<float>(rho / curvature));
        ++report.iterations;
        report.residual = std::sqrt(next / first);
        if (!(report.residual > settings.tolerance)) break;
        turn(static_cast<float>(next / rho));
        rho = next;
    }
    for (long v = 0; v < x.rows(); ++v)
        for (int c = 0; c < 3; ++c) x(v, c) = largest * static_cast<double>(x_.data()[4 * v + c]);
    return report;
}

void GarmentSystem::invert_diagonal() {
    for (long v = 0; v < pattern_.vertices(); ++v) {
        const Eigen::Map<const Eigen::Matrix<float, 4, 3>> own(diagonal_.data() + 12 * v);
        Eigen::Map<Eigen::Matrix<float, 4, 3>>(inverses_.data() + 12 * v).topRows<3>() =
            own.topRows<3>().cast<double>().inverse().cast<float>();
    }
}

// x = 0, r = (D + L)⁻¹ b, p = D r; returns rᵀ D r.
double GarmentSystem::start(const Positions& b, float scale) {
    const long n = pattern_.vertices();
    std::memset(x_.data(), 0, x_.size() * sizeof(float));
    for (long v = 0; v < n; ++v)
        for (int c = 0; c < 3; ++c) image_.data()[4 * v + c] = scale * static_cast<float>(b(v, c));
    double rho = 0;
    for (long v = 0; v < n; ++v) {
        const Float4 known = load4(image_.data() + 4 * v), r = times_block(inverses_.data() + 12 * v, known);
        store4(residual_.data() + 4 * v, r);
        store4(direction_.data() + 4 * v, known);  // D r
        rho += static_cast<double>(sum_of(r * known));
        for (int k = first_pair_[static_cast<size_t>(v)]; k < first_pair_[static_cast<size_t>(v) + 1]; ++k) {
            float* other = image_.data() + 4L * pattern_.pair_list()(k, 1);
            store4(other, load4(other) - times_pair(load4(between_.data() + 4L * k), r));
        }
    }
    return rho;
}

// t = (D + U)⁻¹ p and Â p; returns pᵀ Â p.
double GarmentSystem::apply() {
    const long n = pattern_.vertices();
    const int* first = first_pair_.data();
    const int* ends = pattern_.pair_list().data();
    const float* between = between_.data();
    float* swept = swept_.data();
    float* image = image_.data();
    for (long v = n - 1; v >= 0; --v) {
        Float4 above = {};  // U t
        for (int k = first[v]; k < first[v + 1]; ++k)
            above += times_pair(load4(between + 4L * k), load4(swept + 4L * ends[2L * k + 1]));
        store4(image + 4 * v, above);
        store4(swept + 4 * v, times_block(inverses_.data() + 12 * v, load4(direction_.data() + 4 * v) - above));
    }
    double curvature = 0;
    for (long v = 0; v < n; ++v) {
        const Float4 y = times_block(inverses_.data() + 12 * v, load4(image + 4 * v));
        for (int k = first[v]; k < first[v + 1]; ++k) {
            float* other = image + 4L * ends[2L * k + 1];
            store4(other, load4(other) - times_pair(load4(between + 4L * k), y));
        }
        const Float4 product = load4(swept + 4 * v) + y;
        store4(image + 4 * v, product);
        curvature += static_cast<double>(sum_of(load4(direction_.data() + 4 * v) * product));
    }
    return curvature;
}

// x += step t, r −= step Â p; returns rᵀ D r.
double GarmentSystem::advance(float step) {
    double rho = 0;
    for (long v = 0; v < pattern_.vertices(); ++v) {
        store4(x_.data() + 4 * v, load4(x_.data() + 4 * v) + all(step) * load4(swept_.data() + 4 * v));
        const Float4 r = load4(residual_.data() + 4 * v) - all(step) * load4(image_.data() + 4 * v);
        store4(residual_.data() + 4 * v, r);
        rho += static_cast<double>(sum_of(r * times_block(diagonal_.data() + 12 * v, r)));
    }
    return rho;
}

// p = D r + momentum p
void GarmentSystem::turn(float momentum) {
    for (long v = 0; v < pattern_.vertices(); ++v)
        store4(direction_.data() + 4 * v, times_block(diagonal_.data() + 12 * v, load4(residual_.data() + 4 * v)) +
                                              all(momentum) * load4(direction_.data() + 4 * v));
}

Positions GarmentSystem::times(const Positions& x) const {
    Positions product(x.rows(), 3);
    for (long v = 0; v < x.rows(); ++v) {
        const Eigen::Map<const Eigen::Matrix<float, 4, 3>> own(diagonal_.data() + 12 * v);
        product.row(v) = own.topRows<3>().cast<double>() * x.row(v).transpose();
    }
    for (long p = 0; p < pattern_.pairs(); ++p) {
        const Eigen::Vector4d pair = Eigen::Map<const Eigen::Vector4f>(between_.data() + 4 * p).cast<double>();
        const Matrix3 block = pair(3) * Matrix3::Identity() - pair.head<3>() * pair.head<3>().transpose();
        const int a = pattern_.pair_list()(p, 0), b = pattern_.pair_list()(p, 1);
        product.row(a) += (block * x.row(b).transpose()).transpose();
        product.row(b) += (block * x.row(a).transpose()).transpose();
    }
    return product;
}

}  // namespace tulle::methods
