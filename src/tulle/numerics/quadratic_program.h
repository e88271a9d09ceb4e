// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

namespace tulle::numerics {

// A small convex quadratic program: the x that minimises ½ xᵀ P x + qᵀ x with G x ≤ h.
struct QuadraticProgram {
    Eigen::MatrixXd quadratic;    // P, n×n, positive definite
    VectorX linear;               // q, n
    Eigen::MatrixXd constraints;  // G, m×n
    VectorX limits;               // h, m
};

struct [[nodiscard]] QuadraticProgramResult {
    VectorX x;
    VectorX multipliers;  // of the constraints, not negative
    bool converged = false;
    int iterations = 0;
};

// Mehrotra's predictor-corrector interior point method, dense. The numbers should be of size one or so.
QuadraticProgramResult solve_quadratic_program(const QuadraticProgram& program, double tolerance = 1e-10);

}  // namespace tulle::numerics
