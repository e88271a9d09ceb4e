// SPDX-License-Identifier: Apache-2.0
// The numbers of the factor: multifrontal elimination in double precision [Duff and Reid 1983, Liu 1992].
#pragma once

#include "tulle/numerics/sparse_cholesky_kernel.h"
#include "tulle/numerics/sparse_cholesky_plan.h"

#include <vector>

namespace tulle::numerics {

// With L₁₁ the diagonal block of a node and L₂₁ the rows below it, its panel holds
//
//     P = −L₂₁ L₁₁⁻¹      rows_below × columns       so that the sweeps of L Lᵀ x = b become
//     S = (L₁₁ L₁₁ᵀ)⁻¹    columns × columns            forward   b₂ ← b₂ + P b₁
//     0                   up to a multiple of 8        backward  x₁ = S b₁ + Pᵀ x₂
//
// column by column in single precision: no division, no triangular solve, only dense products.
std::vector<Panel> lay_out_panels(const FactorPlan& plan);  // one per node; `offsets` is left for the caller

// Fills the panels but for their padding. Throws an Error that names the row if the matrix is not positive definite.
void factorise(const FactorPlan& plan, const SparseMatrix& matrix, float* values);

}  // namespace tulle::numerics
