// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/motion_recording.h"

#include "tulle/core/parallel.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

VectorX powers(double u, int degree) {
    VectorX result(degree + 1);
    result(0) = 1;
    for (int i = 1; i <= degree; ++i) result(i) = result(i - 1) * u;
    return result;
}

TimeKernel straight_lines(int reach, double offset) {
    TimeKernel kernel{reach, VectorX::Zero(2 * reach + 1)};
    const int before = std::clamp(static_cast<int>(std::floor(offset)), -reach, std::max(reach - 1, -reach));
    kernel.weights(before + reach) = 1 - (offset - before);
    if (before < reach) kernel.weights(before + 1 + reach) = offset - before;
    return kernel;
}

double mean_square(const Positions& values, const std::vector<int>& counted) {
    return parallel_sum(static_cast<long>(counted.size()),
                        [&](long i) { return values.row(counted[static_cast<size_t>(i)]).squaredNorm(); }) /
           (3 * static_cast<double>(counted.size()));
}

// Σ (−1)ⁱ C(order, i) x, normalised so that white noise keeps its variance.
VectorX difference_weights(int order) {
    VectorX weights = VectorX::Ones(1);
    for (int k = 0; k < order; ++k) {
        VectorX next = VectorX::Zero(weights.size() + 1);
        next.head(weights.size()) += weights;
        next.tail(weights.size()) -= weights;
        weights = next;
    }
    return weights / weights.norm();
}

}  // namespace

TimeKernel local_polynomial(int reach, int degree, double offset) {
    if (reach <= 1) return straight_lines(reach, offset);
    const int used = std::min(degree, 2 * reach);
    Eigen::MatrixXd weighted(2 * reach + 1, used + 1);
    Eigen::MatrixXd normal = Eigen::MatrixXd::Zero(used + 1, used + 1);
    for (int j = -reach; j <= reach; ++j) {
        const double u = static_cast<double>(j) / (reach + 1);
        const double weight = std::pow(1 - u * u, 3);
        const VectorX p = powers(u, used);
        weighted.row(j + reach) = weight * p;
        normal += weight * p * p.transpose();
    }
    return {reach, weighted * normal.ldlt().solve(powers(offset / (reach + 1), used))};
}

TimeKernel difference(const TimeKernel& a, const TimeKernel& b) { return {a.reach, a.weights - b.weights}; }

Positions apply(const TimeKernel& kernel, const MotionRecording& recording, long frame) {
    Positions sum = Positions::Zero(recording.frames.front().rows(), 3);
    parallel_for(sum.rows(), [&](long v) {
        for (long j = 0; j < kernel.weights.size(); ++j)
            sum.row(v) += kernel.weights(j) * recording.frames[static_cast<size_t>(frame - kernel.reach + j)].row(v);
    });
    return sum;
}

double position_noise(const MotionRecording& recording, const std::vector<int>& counted) {
    double least = -1;
    for (int order = 2; order <= 8 && order < recording.count(); ++order) {
        const TimeKernel kernel{0, difference_weights(order)};
        const long places = recording.count() - order, stride = std::max(1L, places / 16);
        double sum = 0;
        long samples = 0;
        for (long f = 0; f < places; f += stride, ++samples) sum += mean_square(apply(kernel, recording, f), counted);
        const double noise = std::sqrt(sum / static_cast<double>(samples));
        if (least < 0 || noise < least) least = noise;
    }
    return std::max(least, 0.0);
}

FairReach fair_reach(const MotionRecording& recording, long frame, int degree, double noise,
                     const std::vector<int>& counted) {
    constexpr double fair = 1.2;
    FairReach best{0, 1};
    for (const int reach : {3, 4, 6, 8, 11, 16, 23, 32, 45}) {
        if (frame < reach || frame + reach >= recording.count()) break;
        // A velocity by polynomials of two degrees: they differ by noise alone if the motion is one of the lower.
        const auto slope = [&](int of_degree) {
            return difference(local_polynomial(reach, of_degree, 0.5), local_polynomial(reach, of_degree, -0.5));
        };
        const TimeKernel change = difference(slope(degree + 2), slope(degree));
        const double found = std::sqrt(mean_square(apply(change, recording, frame), counted));
        const double explained = noise * std::sqrt(change.noise_gain());
        const double misfit = found / std::max(explained, 1e-300);
        if (misfit > fair) {
            if (best.reach == 0) best.misfit = misfit;
            break;
        }
        best = {reach, misfit};
    }
    return best;
}

}  // namespace tulle::methods
