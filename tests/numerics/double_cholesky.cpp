// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/double_cholesky.h"

#include "tests/numerics/matrices.h"
#include "tulle/core/parallel.h"
#include "tulle/numerics/double_cholesky_kernel.h"

#include <doctest/doctest.h>

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <limits>

using namespace tulle;
using namespace tulle::numerics;
using namespace tulle::test;

namespace {

VectorX random_vector(long size, std::uint64_t seed) {
    Random random(seed);
    VectorX vector(size);
    for (double& value : vector) value = random.uniform(-1, 1);
    return vector;
}

// The largest error of the solution, relative to its largest entry.
double error_against_eigen(const SparseMatrix& matrix, const DoubleCholesky& cholesky) {
    const VectorX b = random_vector(matrix.rows(), 7);
    const Eigen::SimplicialLDLT<SparseMatrix> reference(matrix);
    const VectorX expected = reference.solve(b);
    return (cholesky.solve(b) - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

double error_against_eigen(const SparseMatrix& matrix) { return error_against_eigen(matrix, DoubleCholesky(matrix)); }

Eigen::MatrixXd random_definite(int size) {
    const Eigen::MatrixXd random = random_vector(size * size, 2).reshaped(size, size);
    return random * random.transpose() + Eigen::MatrixXd::Identity(size, size);
}

Front front_of(int columns, int rows) {
    const int width = (columns + 3) / 4 * 4, below = (rows + 3) / 4 * 4;
    return {0, columns, width, below, width + below};
}

Eigen::MatrixXd values_of(const Front& front, const Eigen::MatrixXd& a) {
    const long columns = front.columns, rows = a.rows() - columns;
    Eigen::MatrixXd values = Eigen::MatrixXd::Zero(front.height, front.width);
    values.topLeftCorner(columns, columns) = a.topLeftCorner(columns, columns);
    values.block(front.width, 0, rows, columns) = a.bottomLeftCorner(rows, columns);
    return values;
}

SparseMatrix grid_hessian(int side, std::uint64_t seed = 1) {
    return spring_hessian(grid_edges(side, side), random_positions(side * side, seed), seed);
}

}  // namespace

TEST_CASE("Double-precision Cholesky solves cloths like Eigen, to twelve digits") {
    for (const auto& [rows, columns] : EdgeList{{2, 2}, {3, 5}, {25, 37}, {49, 73}, {1, 300}, {80, 120}}) {
        CAPTURE(rows);
        CAPTURE(columns);
        CHECK(error_against_eigen(cloth_matrix(rows * columns, grid_edges(rows, columns))) < 1e-12);
    }
    for (const int count : {20, 500, 4000}) {
        CAPTURE(count);
        CHECK(error_against_eigen(cloth_matrix(count, scattered_edges(count, 1.6 / std::sqrt(count), 3))) < 1e-12);
    }
}

TEST_CASE("Double-precision Cholesky solves Hessians of springs like Eigen, to twelve digits") {
    for (const int side : {1, 2, 5, 20, 54}) {
        CAPTURE(side);
        CHECK(error_against_eigen(grid_hessian(side)) < 1e-12);
    }
}

TEST_CASE("Double-precision Cholesky solves matrices that fall apart, and tiny, dense, star and chain ones") {
    EdgeList pieces = grid_edges(20, 20);
    for (const auto& [a, b] : grid_edges(30, 11)) pieces.emplace_back(500 + a, 500 + b);
    CHECK(error_against_eigen(cloth_matrix(900, pieces)) < 1e-12);
    CHECK(error_against_eigen(cloth_matrix(3000, {})) < 1e-12);
    for (const int size : {1, 2, 3, 4, 5, 17, 40, 2000}) {
        EdgeList dense, star, chain;
        for (int a = 0; a < std::min(size, 40); ++a)
            for (int b = a + 1; b < std::min(size, 40); ++b) dense.emplace_back(a, b);
        for (int v = 1; v < size; ++v) star.emplace_back(0, v);
        for (int v = 1; v < size; ++v) chain.emplace_back(v - 1, v);
        CAPTURE(size);
        CHECK(error_against_eigen(cloth_matrix(size, dense)) < 1e-12);
        CHECK(error_against_eigen(cloth_matrix(size, star)) < 1e-12);
        CHECK(error_against_eigen(cloth_matrix(size, chain)) < 1e-12);
    }
}

TEST_CASE("Double-precision Cholesky leaves a residual of rounding errors only") {
    const SparseMatrix matrix = grid_hessian(54);
    const VectorX b = random_vector(matrix.rows(), 3);
    CHECK((matrix * DoubleCholesky(matrix).solve(b) - b).norm() < 1e-14 * b.norm());
}

TEST_CASE("Double-precision Cholesky is backward stable for stiffnesses over twelve orders of magnitude") {
    const EdgeList edges = grid_edges(30, 30);
    const Positions x = random_positions(900, 1);
    SparseMatrix matrix(2700, 2700);
    for (const int power : {-6, -3, 0, 3, 6}) {
        EdgeList some;
        for (size_t e = static_cast<size_t>(power + 6); e < edges.size(); e += 15) some.push_back(edges[e]);
        matrix += std::pow(10, power) * spring_hessian(some, x);
    }
    const VectorX b = random_vector(2700, 3);
    const VectorX solution = DoubleCholesky(matrix).solve(b);
    CHECK((matrix * solution - b).norm() < 1e-15 * matrix.norm() * solution.norm());
}

TEST_CASE("Double-precision Cholesky solves three columns, and parts of arrays, as it solves each alone") {
    const SparseMatrix matrix = cloth_matrix(400, grid_edges(20, 20));
    const DoubleCholesky cholesky(matrix);
    const Positions b = random_positions(400, 3);
    const Positions solution = cholesky.solve(b);
    for (int axis = 0; axis < 3; ++axis) CHECK(VectorX(solution.col(axis)) == cholesky.solve(VectorX(b.col(axis))));
    CHECK(cholesky.solve(-b.leftCols<2>()) == -solution.leftCols<2>());
    CHECK(cholesky.solve(VectorX(VectorX::Zero(400))) == VectorX::Zero(400));
}

TEST_CASE("Double-precision Cholesky gives the same bits on 1, 2, 3 and 8 threads") {
    for (const int side : {12, 40, 70}) {
        const SparseMatrix matrix = grid_hessian(side), other = grid_hessian(side, 2);
        const VectorX b = random_vector(matrix.rows(), 9);
        std::vector<VectorX> solutions;
        for (const int threads : {1, 2, 3, 8}) {
            const ThreadCountScope scope(threads);
            DoubleCholesky cholesky(matrix);
            solutions.push_back(cholesky.solve(b));
            cholesky.refactor(other);
            cholesky.refactor(matrix);
            CHECK(cholesky.solve(b) == solutions.front());
            CHECK(solutions.back() == solutions.front());
        }
    }
}

TEST_CASE("Front kernels for AVX2 and for any processor agree") {
    const SparseMatrix matrix = grid_hessian(40);
    const VectorX b = random_vector(matrix.rows(), 4);
    const VectorX portable = DoubleCholesky(matrix, portable_front_kernels).solve(b);
    const VectorX fastest = DoubleCholesky(matrix).solve(b);
    CHECK((portable - fastest).norm() < 1e-13 * portable.norm());
    CHECK(error_against_eigen(matrix, DoubleCholesky(matrix, portable_front_kernels)) < 1e-12);
}

TEST_CASE("Front kernels equal Eigen's dense Cholesky for every size up to a tile and a half") {
    for (const FrontKernels* kernels : {&portable_front_kernels, &front_kernels()})
        for (int columns = 1; columns <= 18; ++columns)
            for (int rows = 0; rows <= 18; ++rows) {
                const Eigen::MatrixXd a = random_definite(columns + rows);
                const Eigen::MatrixXd l = a.llt().matrixL();
                const Eigen::MatrixXd l21 = l.bottomLeftCorner(rows, columns);
                const Front front = front_of(columns, rows);
                Eigen::MatrixXd values = values_of(front, a);
                Eigen::MatrixXd update = Eigen::MatrixXd::Zero(front.below, front.below);
                CAPTURE(columns);
                CAPTURE(rows);
                REQUIRE(kernels->factor(front, values.data()) == columns);
                kernels->update(front, values.data(), update.data());
                const Eigen::MatrixXd l11 = values.topLeftCorner(columns, columns).triangularView<Eigen::Lower>();
                CHECK((l11 - l.topLeftCorner(columns, columns)).norm() < 1e-12 * l.norm());
                CHECK((values.block(front.width, 0, rows, columns) - l21).norm() < 1e-12 * l.norm());
                const Eigen::MatrixXd left = update.topLeftCorner(rows, rows) + l21 * l21.transpose();
                CHECK(left.triangularView<Eigen::Lower>().toDenseMatrix().norm() < 1e-12 * a.norm());
            }
}

TEST_CASE("Front kernels find the first column whose pivot is not positive") {
    for (const FrontKernels* kernels : {&portable_front_kernels, &front_kernels()})
        for (int bad = 0; bad < 11; ++bad)
            for (const double pivot : {0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
                Eigen::MatrixXd a = Eigen::MatrixXd::Identity(16, 16);
                a(bad, bad) = pivot;
                const Front front = front_of(11, 5);
                CHECK(kernels->factor(front, values_of(front, a).data()) == bad);
            }
}
