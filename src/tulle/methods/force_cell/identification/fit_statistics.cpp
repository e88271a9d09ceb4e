// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/fit_statistics.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

Unknowns::Unknowns(const Eigen::MatrixXd& law, const VectorX& scales, const VectorX& mode_ridge)
    : parameters_(law.cols()) {
    const long modes = mode_ridge.size();
    map_ = Eigen::MatrixXd::Zero(parameter_count + modes, parameters_ + modes);
    // each free parameter in units of the largest scale among those it stands for
    for (long i = 0; i < parameters_; ++i)
        map_.col(i).head(parameter_count) = law.col(i) * law.col(i).cwiseProduct(scales).maxCoeff();
    for (long i = 0; i < modes; ++i) map_(parameter_count + i, parameters_ + i) = 1;
    ridge_ = VectorX::Zero(parameters_ + modes);
    ridge_.tail(modes) = mode_ridge;
}

Solution solve(const FitEquations& equations, const Unknowns& unknowns, const VectorX& offset, double damping) {
    Eigen::MatrixXd matrix = unknowns.map().transpose() * equations.matrix * unknowns.map();
    matrix.diagonal() += unknowns.ridge();
    matrix.diagonal().head(unknowns.parameters()) *= 1 + damping;
    const VectorX right = unknowns.map().transpose() * equations.right - unknowns.ridge().cwiseProduct(offset);
    // in units of the diagonal, for the sake of rounding
    const VectorX unit = matrix.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd scaled = unit.asDiagonal() * matrix * unit.asDiagonal();
    scaled.diagonal().array() += 1e-13;
    const Eigen::MatrixXd inverse = unit.asDiagonal() *
                                    scaled.ldlt().solve(Eigen::MatrixXd::Identity(scaled.rows(), scaled.cols())) *
                                    unit.asDiagonal();
    return {inverse, inverse * right};
}

Eigen::MatrixXd covariance(const FitEquations& equations, const Unknowns& unknowns, const Eigen::MatrixXd& inverse,
                           double variance) {
    const long p = unknowns.parameters();
    const Eigen::MatrixXd white = variance * inverse.topLeftCorner(p, p);
    const Eigen::MatrixXd influences = (inverse * unknowns.map().transpose() * equations.scores).topRows(p);
    const auto blocks = static_cast<double>(influences.cols());
    const Eigen::MatrixXd seen = influences * influences.transpose() * (blocks / std::max(blocks - 1, 1.0));
    VectorX factors = VectorX::Ones(p);
    for (long i = 0; i < p; ++i)
        if (white(i, i) > 0) factors(i) = std::sqrt(std::max(1.0, seen(i, i) / white(i, i)));
    const Eigen::MatrixXd both = factors.asDiagonal() * white * factors.asDiagonal();
    const Eigen::MatrixXd map = unknowns.map().topLeftCorner(parameter_count, p);
    return map * both * map.transpose();
}

KindsDiffer difference_of_kinds(const FitEquations& equations, const VectorX& scales, const VectorX& mode_ridge,
                                const VectorX& mode_offset, double variance) {
    Unknowns unknowns(law_matrix(SpringLaw::ByKind), scales, mode_ridge);
    VectorX offset = VectorX::Zero(parameter_count + mode_offset.size());
    offset.tail(mode_offset.size()) = mode_offset;
    const Solution solution = solve(equations, unknowns, offset, 0);
    const Eigen::MatrixXd spread = covariance(equations, unknowns, solution.inverse, variance);
    const VectorX step =
        unknowns.map().topLeftCorner(parameter_count, parameter_count) * solution.step.head(parameter_count);
    Eigen::MatrixXd contrasts = Eigen::MatrixXd::Zero(4, parameter_count);
    for (int i = 0; i < 2; ++i) {
        contrasts(i, 0) = contrasts(2 + i, 3) = -1;
        contrasts(i, 1 + i) = contrasts(2 + i, 4 + i) = 1;
    }
    const VectorX differences = contrasts * step;
    const Eigen::MatrixXd expected = contrasts * spread * contrasts.transpose();
    const VectorX unit = expected.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = unit.asDiagonal() * expected * unit.asDiagonal();
    const VectorX normed = unit.cwiseProduct(differences);
    const double taken =
        solution.step.dot(unknowns.map().transpose() * equations.right - unknowns.ridge().cwiseProduct(offset));
    const VectorX sizes = (VectorX(4) << scales(0), scales(0), scales(3), scales(3)).finished();
    return {normed.dot(scaled.ldlt().solve(normed)), differences.cwiseQuotient(sizes).cwiseAbs().maxCoeff(),
            taken / std::max(equations.squares, 1e-300)};
}

}  // namespace tulle::methods
