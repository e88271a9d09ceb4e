// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/quadratic_program.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace tulle::numerics {

namespace {

// How far one can go before a number that must stay positive would not be.
double longest(const VectorX& values, const VectorX& change) {
    double step = 1;
    for (long i = 0; i < values.size(); ++i)
        if (change(i) < 0) step = std::min(step, -0.995 * values(i) / change(i));
    return step;
}

}  // namespace

QuadraticProgramResult solve_quadratic_program(const QuadraticProgram& program, double tolerance) {
    const auto& [P, q, G, h] = program;
    const auto m = static_cast<double>(h.size());
    QuadraticProgramResult result;
    VectorX& x = result.x;
    VectorX& multipliers = result.multipliers;
    x = P.ldlt().solve(-q);
    VectorX slacks = (h - G * x).cwiseMax(1.0);
    multipliers.setOnes(h.size());
    constexpr int most = 100;
    for (; result.iterations < most; ++result.iterations) {
        const VectorX dual = P * x + q + G.transpose() * multipliers;
        const VectorX primal = G * x + slacks - h;
        const double gap = slacks.dot(multipliers) / m;
        result.converged = std::max({gap, dual.cwiseAbs().maxCoeff(), primal.cwiseAbs().maxCoeff()}) < tolerance;
        if (result.converged) break;
        const VectorX ratio = multipliers.cwiseQuotient(slacks);
        const Eigen::LDLT<Eigen::MatrixXd> factor(P + G.transpose() * ratio.asDiagonal() * G);
        VectorX dx, dslacks, dmultipliers;
        const auto aim = [&, &G = G](const VectorX& complementarity) {
            dx = factor.solve(-dual - G.transpose() *
                                          (multipliers.cwiseProduct(primal) - complementarity).cwiseQuotient(slacks));
            dslacks = -primal - G * dx;
            dmultipliers = (-complementarity - multipliers.cwiseProduct(dslacks)).cwiseQuotient(slacks);
            return std::min(longest(slacks, dslacks), longest(multipliers, dmultipliers));
        };
        const VectorX product = slacks.cwiseProduct(multipliers);
        const double ahead = aim(product);  // straight at the solution, to see how central the way must be
        const double gap_ahead = (slacks + ahead * dslacks).dot(multipliers + ahead * dmultipliers) / m;
        const VectorX target = VectorX::Constant(h.size(), gap * std::pow(gap_ahead / gap, 3));
        const double step = aim(product + dslacks.cwiseProduct(dmultipliers) - target);
        x += step * dx;
        slacks += step * dslacks;
        multipliers += step * dmultipliers;
    }
    return result;
}

}  // namespace tulle::numerics
