// SPDX-License-Identifier: Apache-2.0
#include "tests/numerics/matrices.h"
#include "tulle/core/error.h"
#include "tulle/numerics/double_cholesky.h"
#include "tulle/numerics/sparse_cholesky.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace tulle;
using namespace tulle::numerics;
using namespace tulle::test;

namespace {

template <typename Cholesky>
std::string message_of_refactoring(Cholesky& cholesky, const SparseMatrix& matrix) {
    try {
        cholesky.refactor(matrix);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

SparseMatrix grid(int side, std::uint64_t seed) { return cloth_matrix(side * side, grid_edges(side, side), seed); }

}  // namespace

TEST_CASE_TEMPLATE("Refactoring gives the bits of a fresh factor", Cholesky, SparseCholesky, DoubleCholesky) {
    for (const int side : {1, 2, 7, 40, 90}) {
        Cholesky cholesky(grid(side, 1));
        const Positions b = random_positions(side * side, 3);
        const Positions first = cholesky.solve(b);
        for (const std::uint64_t seed : {2, 3}) {
            cholesky.refactor(grid(side, seed));
            CHECK(cholesky.solve(b) == Cholesky(grid(side, seed)).solve(b));
        }
        cholesky.refactor(grid(side, 1));
        CHECK(cholesky.solve(b) == first);
        CHECK(cholesky.factorisation_milliseconds() > 0);
    }
    Cholesky nothing(SparseMatrix(0, 0));
    nothing.refactor(SparseMatrix(0, 0));
}

TEST_CASE_TEMPLATE("Refactoring reads the lower half only", Cholesky, SparseCholesky, DoubleCholesky) {
    Cholesky cholesky(grid(20, 1));
    const Positions b = random_positions(400, 3);
    cholesky.refactor(grid(20, 2).triangularView<Eigen::Lower>());
    CHECK(cholesky.solve(b) == Cholesky(grid(20, 2)).solve(b));
}

TEST_CASE_TEMPLATE("Refactoring refuses a matrix whose entries lie elsewhere", Cholesky, SparseCholesky,
                   DoubleCholesky) {
    Cholesky cholesky(grid(20, 1));
    SparseMatrix more = grid(20, 1), less = grid(20, 1);
    more.coeffRef(399, 0) = 1e-3;
    less.prune([](int row, int column, double) { return row != 21 || column != 0; });
    for (const SparseMatrix& other : {more, less, grid(21, 1), SparseMatrix(400, 401), SparseMatrix(0, 0)})
        CHECK(message_of_refactoring(cholesky, other).find("entries elsewhere") != std::string::npos);
    const Positions b = random_positions(400, 3);
    CHECK(cholesky.solve(b) == Cholesky(grid(20, 1)).solve(b));
}

TEST_CASE_TEMPLATE("Refactoring recovers from a matrix that is not positive definite, and names its row", Cholesky,
                   SparseCholesky, DoubleCholesky) {
    SparseMatrix loose = cloth_matrix(400, {});
    Cholesky diagonal(loose);
    loose.coeffRef(123, 123) = -1;
    CHECK(message_of_refactoring(diagonal, loose).find("not positive definite at row 123;") != std::string::npos);

    Cholesky cholesky(grid(50, 1));
    const Positions b = random_positions(2500, 3);
    const Positions expected = cholesky.solve(b);
    SparseMatrix bad = grid(50, 1);
    for (const int row : {0, 77, 1250, 2499}) {
        bad.coeffRef(row, row) = -5;
        CHECK(message_of_refactoring(cholesky, bad).find("not positive definite at row") != std::string::npos);
        cholesky.refactor(grid(50, 1));
        CHECK(cholesky.solve(b) == expected);
    }
    bad.coeffRef(77, 77) = std::numeric_limits<double>::quiet_NaN();
    CHECK(message_of_refactoring(cholesky, bad).find("row 77 of the matrix holds a number that is not finite") !=
          std::string::npos);
}
