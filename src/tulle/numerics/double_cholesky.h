// SPDX-License-Identifier: Apache-2.0
// Direct solution of A x = b in double precision for a sparse, symmetric, positive definite matrix whose numbers change
// while its pattern stays, as in Newton's method:
//
//     DoubleCholesky cholesky(hessian);
//     const VectorX step = cholesky.solve(downhill);
//     cholesky.refactor(next_hessian);
//
// Results are bit-identical at any number of threads. Where one matrix is solved thousands of times and single
// precision will do, SparseCholesky is faster.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/sparse_matrix.h"

#include <memory>

namespace tulle::numerics {

struct DoubleFactor;
struct FrontKernels;

class DoubleCholesky {
public:
    // Reads the lower half of the matrix. Throws an Error that names the row if it is not positive definite.
    explicit DoubleCholesky(const SparseMatrix& matrix);
    // The same with other kernels than the fastest, to compare them.
    DoubleCholesky(const SparseMatrix& matrix, const FrontKernels& kernels);
    ~DoubleCholesky();
    DoubleCholesky(DoubleCholesky&&) noexcept;
    DoubleCholesky& operator=(DoubleCholesky&&) noexcept;

    // Takes the numbers of another matrix with entries in the same places; order and memory stay. Throws an Error if
    // the entries lie elsewhere, or as the constructor does; it can then be refactored again, but must not solve
    // before.
    void refactor(const SparseMatrix& matrix);

    int size() const;
    long nonzeros() const;  // of the factor, with the zeros that supernodes store
    double analysis_milliseconds() const;
    double factorisation_milliseconds() const;  // of the last

    // Solves for each column of a vector or matrix.
    template <typename Columns>
    typename Columns::PlainObject solve(const Eigen::MatrixBase<Columns>& right_hand_sides) const {
        typename Columns::PlainObject solutions = right_hand_sides;
        for (auto column : solutions.colwise()) column = solve_column(column);
        return solutions;
    }

private:
    VectorX solve_column(const VectorX& right_hand_side) const;

    std::unique_ptr<DoubleFactor> factor_;
};

}  // namespace tulle::numerics
