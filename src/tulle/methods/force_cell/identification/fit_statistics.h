// SPDX-License-Identifier: Apache-2.0
// The linear algebra of a trajectory fit: steps, error bars, and whether the kinds of springs differ.
#pragma once

#include "tulle/methods/force_cell/identification/trajectory_runs.h"

namespace tulle::methods {

// How the unknowns of a law and the modes of the start stand for all of the linearisation's.
class Unknowns {
public:
    // `mode_ridge`: what holds each mode back.
    Unknowns(const Eigen::MatrixXd& law, const VectorX& scales, const VectorX& mode_ridge);

    long parameters() const { return parameters_; }
    const Eigen::MatrixXd& map() const { return map_; }
    const VectorX& ridge() const { return ridge_; }
    void hold_parameters(double ridge) { ridge_.head(parameters_).setConstant(ridge); }

private:
    long parameters_;
    Eigen::MatrixXd map_;
    VectorX ridge_;
};

struct Solution {
    Eigen::MatrixXd inverse;  // of the normal matrix with its ridge
    VectorX step;             // of the unknowns
};

// `offset`: how far each unknown is from where its ridge holds it. `damping`: of Levenberg and Marquardt.
Solution solve(const FitEquations& equations, const Unknowns& unknowns, const VectorX& offset, double damping);

// 10×10, of the parameters. The larger of two covariances: that of white noise of this variance, and that which the
// blocks of the cloth show, whose residuals may hang together in time and in space.
Eigen::MatrixXd covariance(const FitEquations& equations, const Unknowns& unknowns, const Eigen::MatrixXd& inverse,
                           double variance);

struct KindsDiffer {
    double chi_squared;  // of the contrasts between the kinds of springs
    double change;       // largest of a parameter's contrasts, relative to its scale
    double explained;    // part of the squares that a step towards different kinds would take away
};

// By one step from springs that are all alike towards springs of different kinds.
KindsDiffer difference_of_kinds(const FitEquations& equations, const VectorX& scales, const VectorX& mode_ridge,
                                const VectorX& mode_offset, double variance);

}  // namespace tulle::methods
