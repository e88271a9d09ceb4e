// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky.h"

#include "tests/numerics/matrices.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/numerics/sparse_cholesky_kernel.h"
#include "tulle/numerics/sparse_cholesky_solve.h"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <string>
#include <thread>

using namespace tulle;
using namespace tulle::numerics;
using namespace tulle::test;

namespace {

// The largest error of the solution, relative to its largest entry, against Eigen's factor in double precision.
double error_against_eigen(const SparseMatrix& matrix, const SparseCholesky& cholesky) {
    const Positions b = random_positions(static_cast<int>(matrix.rows()), 7);
    const Eigen::SimplicialLDLT<SparseMatrix> reference(matrix);
    const Eigen::MatrixXd expected = reference.solve(Eigen::MatrixXd(b));
    return (cholesky.solve(b) - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

double error_against_eigen(const SparseMatrix& matrix) { return error_against_eigen(matrix, SparseCholesky(matrix)); }

std::string message_of(const SparseMatrix& matrix) {
    try {
        SparseCholesky{matrix};
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Sparse Cholesky solves grid cloths like Eigen") {
    for (const auto& [rows, columns] : EdgeList{{2, 2}, {3, 5}, {10, 10}, {25, 37}, {49, 73}, {1, 300}, {80, 120}}) {
        CAPTURE(rows);
        CAPTURE(columns);
        CHECK(error_against_eigen(cloth_matrix(rows * columns, grid_edges(rows, columns))) < 3e-5);
    }
}

TEST_CASE("Sparse Cholesky solves irregular meshes like Eigen") {
    for (const int count : {20, 100, 500, 2000, 4000}) {
        CAPTURE(count);
        CHECK(error_against_eigen(cloth_matrix(count, scattered_edges(count, 1.6 / std::sqrt(count), 3))) < 3e-5);
    }
}

TEST_CASE("Sparse Cholesky solves matrices that fall apart into pieces") {
    EdgeList edges = grid_edges(20, 20);
    for (const auto& [a, b] : grid_edges(30, 11)) edges.emplace_back(500 + a, 500 + b);
    CHECK(error_against_eigen(cloth_matrix(900, edges)) < 1e-5);  // two cloths and 170 loose vertices
    CHECK(error_against_eigen(cloth_matrix(3000, {})) < 1e-6);    // loose vertices only
    EdgeList pairs;
    for (int v = 0; v < 5000; v += 2) pairs.emplace_back(v, v + 1);
    CHECK(error_against_eigen(cloth_matrix(5000, pairs)) < 1e-5);
}

TEST_CASE("Sparse Cholesky solves tiny, dense, star and chain matrices") {
    for (int size = 1; size <= 40; ++size) {
        EdgeList dense, star, chain;
        for (int a = 0; a < size; ++a)
            for (int b = a + 1; b < size; ++b) dense.emplace_back(a, b);
        for (int v = 1; v < size; ++v) star.emplace_back(0, v);
        for (int v = 1; v < size; ++v) chain.emplace_back(v - 1, v);
        CAPTURE(size);
        CHECK(error_against_eigen(cloth_matrix(size, dense)) < 1e-5);
        CHECK(error_against_eigen(cloth_matrix(size, star)) < 1e-5);
        CHECK(error_against_eigen(cloth_matrix(size, chain)) < 1e-5);
    }
    EdgeList star, chain;
    for (int v = 1; v < 20000; ++v) star.emplace_back(0, v);
    for (int v = 1; v < 20000; ++v) chain.emplace_back(v - 1, v);
    CHECK(error_against_eigen(cloth_matrix(20000, star)) < 1e-4);
    CHECK(error_against_eigen(cloth_matrix(20000, chain)) < 1e-4);
}

TEST_CASE("Sparse Cholesky of an empty matrix solves nothing") {
    const SparseCholesky cholesky(SparseMatrix(0, 0));
    CHECK(cholesky.solve(Positions(0, 3)).rows() == 0);
}

TEST_CASE("Sparse Cholesky reads the lower half only") {
    const SparseMatrix full = cloth_matrix(200, grid_edges(10, 20));
    const SparseMatrix lower = full.triangularView<Eigen::Lower>();
    const Positions b = random_positions(200, 5);
    CHECK(SparseCholesky(full).solve(b) == SparseCholesky(lower).solve(b));
}

TEST_CASE("Sparse Cholesky solves to the same bits on 1, 2, 3 and 8 threads") {
    const int before = thread_count();
    for (const int side : {25, 60, 150}) {
        const SparseMatrix matrix = cloth_matrix(side * side, grid_edges(side, side));
        const Positions b = random_positions(side * side, 9);
        set_thread_count(1);
        const Positions expected = SparseCholesky(matrix).solve(b);
        for (const int threads : {2, 3, 8}) {
            set_thread_count(threads);
            CHECK(SparseCholesky(matrix).solve(b) == expected);
        }
    }
    set_thread_count(before);
}

TEST_CASE("Sparse Cholesky solves in a team larger or smaller than the one its workspace was made for") {
    const SparseMatrix matrix = cloth_matrix(2500, grid_edges(50, 50));
    const SparseCholesky cholesky(matrix);
    const Positions b = random_positions(2500, 2);
    const Positions expected = cholesky.solve(b);
    const int before = thread_count();
    for (const int made_for : {1, 4})
        for (const int used_by : {1, 2, 6}) {
            set_thread_count(made_for);
            CholeskyWorkspace workspace = cholesky.make_workspace();
            for (int place = 0; place < 2500; ++place)
                for (int axis = 0; axis < 3; ++axis)
                    workspace.rows()[4 * place + axis] = static_cast<float>(b(cholesky.order()[place], axis));
            set_thread_count(used_by);
            cholesky.solve_in_place(workspace);
            double difference = 0;
            for (int place = 0; place < 2500; ++place)
                for (int axis = 0; axis < 3; ++axis)
                    difference = std::max(difference, std::abs(workspace.rows()[4 * place + axis] -
                                                               expected(cholesky.order()[place], axis)));
            CHECK(difference == 0);
        }
    set_thread_count(before);
}

TEST_CASE("Panel kernels for AVX2 and for any processor agree") {
    for (const int count : {7, 100, 3000}) {
        const SparseMatrix matrix = cloth_matrix(count, scattered_edges(count, 1.8 / std::sqrt(count), 11));
        CHECK(error_against_eigen(matrix, SparseCholesky(matrix, portable_panel_kernels)) < 3e-5);
        const Positions b = random_positions(count, 4);
        const Positions portable = SparseCholesky(matrix, portable_panel_kernels).solve(b);
        const Positions fastest = SparseCholesky(matrix).solve(b);
        CHECK((portable - fastest).cwiseAbs().maxCoeff() < 2e-5 * portable.cwiseAbs().maxCoeff());
    }
}

TEST_CASE("The order of elimination is a permutation, and tasks and top cover it") {
    const SparseCholesky cholesky(cloth_matrix(3600, grid_edges(60, 60)));
    std::vector<int> order = cholesky.order();
    std::sort(order.begin(), order.end());
    for (int v = 0; v < 3600; ++v) CHECK(order[v] == v);
    int next = 0;
    for (int task = 0; task < cholesky.task_count(); ++task) {
        CHECK(cholesky.task(task).rows.first == next);
        next = cholesky.task(task).rows.last;
    }
    CHECK(cholesky.task_count() >= 2);
    CHECK(cholesky.top_rows().first == next);
    CHECK(cholesky.top_rows().last == 3600);
}

TEST_CASE("Sparse Cholesky refuses a matrix that is not positive definite and names the row") {
    SparseMatrix matrix = cloth_matrix(400, {});
    matrix.coeffRef(123, 123) = -1;
    CHECK(message_of(matrix).find("not positive definite at row 123;") != std::string::npos);
    SparseMatrix grid = cloth_matrix(2500, grid_edges(50, 50));
    grid.coeffRef(77, 77) = -5;
    CHECK(message_of(grid).find("not positive definite") != std::string::npos);
    grid.coeffRef(77, 77) = std::numeric_limits<double>::quiet_NaN();
    CHECK(message_of(grid).find("row 77 of the matrix holds a number that is not finite") != std::string::npos);
    CHECK(message_of(SparseMatrix(3, 4)).find("give a square one") != std::string::npos);
}

TEST_CASE("Threads that order the same matrix at once all get the order of one alone") {
    const SparseMatrix matrix = cloth_matrix(23 * 31, grid_edges(23, 31));
    const std::vector<int> alone = SparseCholesky(matrix).order();
    std::vector<std::vector<int>> together(64);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (size_t i = t; i < together.size(); i += 4) together[i] = SparseCholesky(matrix).order();
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<int>& order : together) CHECK(order == alone);
}
