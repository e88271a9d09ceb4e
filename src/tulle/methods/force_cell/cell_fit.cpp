// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/cell_fit.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/numerics/differential_evolution.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>

namespace tulle::methods {

namespace {

constexpr long block = 2048;  // samples that are added up together, whatever the number of threads
constexpr int channels = physics::stencil_channels;
// A thousandth of a filter's scale changes the length of a spring as much as the strain of a cloth does.
constexpr double scale_unit = 1e-3;

CellNormal zero_normal(int size) {
    return {.gram = Eigen::MatrixXd::Zero(size, size), .right = VectorX::Zero(size), .squares = 0, .samples = 0};
}

// Columns that hold scales of filters come first, where there are any.
int scale_count(const CellParameters& parameters) {
    return static_cast<int>((parameters.matrix.topRows<channels>().colwise().squaredNorm().array() > 0).count());
}

// gram⁻¹ · right, with every unknown in its own unit first.
VectorX solve(const CellNormal& normal) {
    const VectorX unit = normal.gram.diagonal().cwiseSqrt().cwiseInverse();
    if (!unit.allFinite()) throw Error("the recorded motion does not show all that a cell learns; record more of it");
    const Eigen::MatrixXd scaled = unit.asDiagonal() * normal.gram * unit.asDiagonal();
    const Eigen::LDLT<Eigen::MatrixXd> factor(scaled);
    if (factor.vectorD().minCoeff() < 1e-13)
        throw Error("the recorded motion does not tell all numbers of a cell apart; record more of it");
    return unit.cwiseProduct(factor.solve(unit.cwiseProduct(normal.right)));
}

}  // namespace

CellNormal normal_equations(const CellSamples& samples, const CellDesign& design, const CellParameters& parameters,
                            const VectorX& learnt, long most_samples) {
    const ForceCell cell = to_cell(parameters.numbers(learnt), design);
    const long stride = std::max(1L, (samples.count() + most_samples - 1) / most_samples);
    const long count = (samples.count() + stride - 1) / stride, blocks = (count + block - 1) / block;
    std::vector<CellNormal> parts(static_cast<size_t>(blocks), zero_normal(parameters.count()));
    parallel_ranges(
        blocks,
        [&](long begin, long end) {
            CellGradient change;
            Eigen::Matrix<double, 3, Eigen::Dynamic> features;
            for (long b = begin; b < end; ++b) {
                CellNormal& part = parts[static_cast<size_t>(b)];
                for (long i = b * block; i < std::min(count, (b + 1) * block); ++i) {
                    const auto [state, vertex] = samples.at(i * stride);
                    const Vector3 rest =
                        Vector3(state.accelerations.row(vertex)) - cell_gradient(cell, state, vertex, change);
                    features.noalias() = change * parameters.matrix;
                    part.gram.selfadjointView<Eigen::Lower>().rankUpdate(features.transpose());
                    part.right.noalias() += features.transpose() * rest;
                    part.squares += rest.squaredNorm();
                }
            }
        },
        /*grain=*/2);
    CellNormal total = zero_normal(parameters.count());
    for (const CellNormal& part : parts) {
        total.gram += part.gram;
        total.right += part.right;
        total.squares += part.squares;
    }
    total.gram = Eigen::MatrixXd(total.gram.selfadjointView<Eigen::Lower>()) / static_cast<double>(count);
    total.right /= static_cast<double>(count);
    total.squares /= static_cast<double>(count);
    total.samples = count;
    return total;
}

CellFit fit_least_squares(const CellSamples& samples, const CellDesign& design, long most_samples) {
    if (design.learns_scales) throw Error("a cell is fitted in closed form only where its filters are fixed");
    const CellParameters parameters = plain_parameters(design);
    VectorX learnt = VectorX::Zero(parameters.count());
    const CellNormal first = normal_equations(samples, design, parameters, learnt, most_samples);
    learnt += solve(first);
    // Again from what is left: rounding in the first sums is larger than what the answer should be wrong by.
    const CellNormal second = normal_equations(samples, design, parameters, learnt, most_samples);
    learnt += solve(second);
    return {.cell = to_cell(parameters.numbers(learnt), design),
            .relative_error = std::sqrt(second.squares / first.squares),
            .samples = first.samples};
}

CellParameters whitened_parameters(const CellSamples& samples, const CellDesign& design, long most_samples) {
    CellParameters parameters = plain_parameters(design);
    const int scales = scale_count(parameters), others = parameters.count() - scales;
    const CellNormal normal =
        normal_equations(samples, design, parameters, VectorX::Zero(parameters.count()), most_samples);
    const Eigen::MatrixXd gram = normal.gram.bottomRightCorner(others, others);
    const VectorX unit = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(unit.asDiagonal() * gram * unit.asDiagonal());
    const VectorX spread = modes.eigenvalues().cwiseMax(1e-12 * modes.eigenvalues().maxCoeff()).cwiseSqrt();
    const Eigen::MatrixXd whitening =
        std::sqrt(normal.squares) * unit.asDiagonal() * modes.eigenvectors() * spread.cwiseInverse().asDiagonal();
    parameters.matrix.rightCols(others) *= whitening;
    parameters.matrix.leftCols(scales) *= scale_unit * design.scale;
    return parameters;
}

CellParameters evolved_parameters(const CellSamples& samples, const CellDesign& design, long most_samples,
                                  const CellEvolution& settings, VectorX& start) {
    // One number for each branch and for each component of the bias.
    constexpr int groups = 6;
    CellParameters branches{.base = CellVector::Zero(), .matrix = {}};
    branches.base.head<channels>().setConstant(design.scale);
    branches.matrix.setZero(cell_numbers, groups);
    branches.matrix.block<channels, 1>(first_linear, 0).setOnes();
    branches.matrix.block<channels, 1>(first_nonlinear, 1).setOnes();
    branches.matrix.block<channels, 1>(first_derivative, 2).setOnes();
    branches.matrix.bottomRightCorner<3, 3>().setIdentity();
    const CellNormal normal = normal_equations(samples, design, branches, VectorX::Zero(groups), most_samples);

    constexpr double decades = 8;
    const auto value_of = [](double gene) { return std::copysign(std::pow(10.0, decades * std::abs(gene)) - 1, gene); };
    const auto loss = [&](const VectorX& genes) {
        const VectorX values = genes.unaryExpr(value_of);
        return values.dot(normal.gram * values) - 2 * values.dot(normal.right);
    };
    const numerics::EvolutionResult best = numerics::minimise_evolution(
        loss, VectorX::Constant(groups, -1), VectorX::Constant(groups, 1),
        {.population = settings.population, .generations = settings.generations, .seed = settings.seed});
    const VectorX values = best.x.unaryExpr(value_of);

    CellParameters parameters = plain_parameters(design);
    start = VectorX::Ones(parameters.count());
    const std::array<int, 4> firsts = {0, first_linear, first_nonlinear, first_derivative};
    for (int k = 0; k < parameters.count(); ++k) {
        int row = 0;
        parameters.matrix.col(k).cwiseAbs().maxCoeff(&row);
        if (row < channels) {
            parameters.matrix.col(k) *= scale_unit * design.scale;
            start(k) = 0;
            continue;
        }
        int group = row - first_bias + 3;
        for (int g = 1; g < 4; ++g)
            if (row >= firsts[static_cast<size_t>(g)] && row < firsts[static_cast<size_t>(g)] + channels) group = g - 1;
        parameters.matrix.col(k) *= std::max(std::abs(values(group)), 1e-3);
        start(k) = values(group) < 0 ? -1 : 1;
    }
    return parameters;
}

}  // namespace tulle::methods
