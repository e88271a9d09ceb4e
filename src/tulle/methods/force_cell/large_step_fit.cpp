// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/large_step_fit.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/large_step_stepper.h"
#include "tulle/numerics/quadratic_program.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle::methods {

namespace {

// pₙ, as coefficients of Tⱼ(1 − 2s): Fejér's sum.
VectorX smoothing(int n) {
    VectorX coefficients(n);
    for (int j = 0; j < n; ++j) coefficients(j) = (j == 0 ? 1.0 : 2.0) * (n - j) / (n * n);
    return coefficients;
}

// T₀ … T_degree (1 − 2s) of y.
std::vector<Eigen::MatrixXd> chebyshev_terms(const BoxLaplacian& laplacian, int degree, const Eigen::MatrixXd& y) {
    std::vector<Eigen::MatrixXd> terms = {y};
    Eigen::MatrixXd applied;
    for (int j = 1; j <= degree; ++j) {
        laplacian.apply(terms.back(), applied);
        const Eigen::MatrixXd next = terms.back() - 2 * applied;
        if (j == 1)
            terms.push_back(next);
        else
            terms.emplace_back(2 * next - terms[terms.size() - 2]);
    }
    return terms;
}

// A column for each coefficient: what it adds to the layer's answer, 3|V|.
Eigen::MatrixXd features(const LargeStepPair& pair, const LargeStepFitSettings& settings, const VectorX& smooth) {
    const auto& [laplacian, grid, material] = *pair.cloth;
    Eigen::MatrixXd columns(3 * pair.positions.rows(), settings.degree + settings.across_degree + 2);
    long column = 0;
    const auto add = [&, &laplacian = laplacian](const Eigen::MatrixXd& field) {
        columns.col(column++) = laplacian.polynomial(smooth, field).reshaped();
    };
    for (const auto& term : chebyshev_terms(laplacian, settings.degree, pair.accelerations)) add(term);
    const Positions normals = gated_normals(laplacian, grid, material.springs, pair.positions);
    const Eigen::MatrixXd along = normals.cwiseProduct(pair.accelerations).rowwise().sum();
    for (const auto& term : chebyshev_terms(laplacian, settings.across_degree, along))
        add(term.col(0).asDiagonal() * normals);
    return columns;
}

// From coefficients of q with polynomial = s q(s) to its own: s Tⱼ = Tⱼ/2 − (Tⱼ₊₁ + T|ⱼ₋₁|)/4, and s T₀ = (T₀ − T₁)/2.
Eigen::MatrixXd times_s(int degree) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(degree + 1, degree);
    for (int j = 0; j < degree; ++j) {
        matrix(j, j) += 0.5;
        matrix(j + 1, j) -= j == 0 ? 0.5 : 0.25;
        if (j > 0) matrix(j - 1, j) -= 0.25;
    }
    return matrix;
}

// Values of s q(s) for each coefficient of q.
Eigen::MatrixXd values(int degree, const VectorX& s) {
    Eigen::MatrixXd matrix(s.size(), degree);
    for (long i = 0; i < s.size(); ++i)
        for (int j = 0; j < degree; ++j) matrix(i, j) = s(i) * std::cos(j * std::acos(1 - 2 * s(i)));
    return matrix;
}

// Values of s between 0 and 1, and the largest H² κ of the waves around each.
struct Stiffness {
    VectorX s, kappa;
};

Stiffness stiffness_by_s(const LargeStepMaterial& material, double time_step) {
    constexpr int points = 200;
    const auto angle = [](double s) { return std::acos(std::clamp(1 - 2 * s, -1.0, 1.0)) / std::numbers::pi * points; };
    Stiffness stiffness{.s = VectorX(points), .kappa = VectorX::Zero(points)};
    for (int i = 0; i < points; ++i) stiffness.s(i) = 0.5 - 0.5 * std::cos(std::numbers::pi * (i + 1) / points);
    for (const auto& [s, kappa] : waves_of(material, time_step))
        for (const int i : {static_cast<int>(angle(s)) - 1, static_cast<int>(angle(s))})
            if (i >= 0 && i < points) stiffness.kappa(i) = std::max(stiffness.kappa(i), kappa);
    return stiffness;
}

// least ≤ H² κ p ≤ most, where waves are stiff; 0 ≤ r; H² κ r ≤ across_most.
numerics::QuadraticProgram with_constraints(const LargeStepFitSettings& settings, const LargeStepMaterial& material) {
    constexpr double least = 0.05;
    const double most = settings.margin * stable_limit(material.springs, settings.time_step);
    const auto [s, kappa] = stiffness_by_s(material, settings.time_step);
    const long points = s.size();
    const int n = settings.degree, m = settings.across_degree;
    const Eigen::MatrixXd p = kappa.asDiagonal() * values(n, s), r = values(m, s);
    numerics::QuadraticProgram program;
    program.constraints.setZero(4 * points, n + m);
    program.constraints.block(0, 0, points, n) = p;
    program.constraints.block(points, 0, points, n) = -p;
    program.constraints.block(2 * points, n, points, m) = kappa.asDiagonal() * r;
    program.constraints.block(3 * points, n, points, m) = -r;
    program.limits.resize(4 * points);
    program.limits << (most - kappa.array()).matrix(), kappa - least * kappa.cwiseMin(1),
        VectorX::Constant(points, settings.across_most), VectorX::Zero(points);
    return program;
}

}  // namespace

double LargeStepNormal::error(const VectorX& coefficients) const {
    return squares - 2 * right.dot(coefficients) + coefficients.dot(gram * coefficients);
}

LargeStepNormal normal_equations(const std::vector<LargeStepPair>& pairs, const LargeStepFitSettings& settings) {
    const long size = settings.degree + settings.across_degree + 2;
    LargeStepNormal normal{.gram = Eigen::MatrixXd::Zero(size, size), .right = VectorX::Zero(size)};
    const VectorX smooth = smoothing(settings.smoothing);
    for (const LargeStepPair& pair : pairs) {
        const double unit = pair.answers.squaredNorm();  // every pair counts alike
        if (unit == 0) continue;
        const Eigen::MatrixXd columns = features(pair, settings, smooth);
        const VectorX answers = pair.cloth->laplacian.polynomial(smooth, pair.answers).reshaped();
        normal.gram += columns.transpose() * columns / unit;
        normal.right += columns.transpose() * answers / unit;
        normal.squares += answers.squaredNorm() / unit;
    }
    return normal;
}

LargeStepFit fit_large_step(const std::vector<LargeStepPair>& pairs, const LargeStepFitSettings& settings) {
    const LargeStepNormal normal = normal_equations(pairs, settings);
    if (pairs.empty() || !(normal.squares > 0))
        throw Error("nothing moves in what a larger step should be learnt from");
    LargeStepFit fit;
    LargeStep& layer = fit.layer;
    layer = {.steps = settings.steps, .time_step = settings.time_step, .all_ways = {}, .across = {}};
    const int n = settings.degree, m = settings.across_degree;
    Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(n + m + 2, n + m);
    spread.topLeftCorner(n + 1, n) = times_s(n);
    spread.bottomRightCorner(m + 1, m) = times_s(m);
    const VectorX base = VectorX::Unit(n + m + 2, 0);  // p = 1, r = 0
    numerics::QuadraticProgram program = with_constraints(settings, pairs.front().cloth->material);
    program.quadratic = spread.transpose() * normal.gram * spread;
    program.linear = spread.transpose() * (normal.gram * base - normal.right);
    const double unit = program.quadratic.trace() / static_cast<double>(n + m);
    program.quadratic = program.quadratic / unit + 1e-9 * Eigen::MatrixXd::Identity(n + m, n + m);
    program.linear /= unit;
    const numerics::QuadraticProgramResult result = numerics::solve_quadratic_program(program, 1e-8);
    if (!result.converged)
        throw Error("no polynomials of degrees {} and {} keep {} steps at once stable; give them higher degrees", n, m,
                    settings.steps);
    const VectorX coefficients = base + spread * result.x;
    layer.all_ways = coefficients.head(n + 1);
    layer.across = coefficients.tail(m + 1);
    require_stable(layer, pairs.front().cloth->material);
    fit.relative_error = std::sqrt(std::max(0.0, normal.error(coefficients)) / normal.squares);
    fit.pairs = static_cast<long>(pairs.size());
    return fit;
}

}  // namespace tulle::methods
