// SPDX-License-Identifier: Apache-2.0
// Direct solution of A x = b for a sparse, symmetric, positive definite matrix that is factored once and solved many
// times with three right-hand sides (the x, y and z of a cloth).
//
//     const SparseCholesky cholesky(matrix);
//     const Positions x = cholesky.solve(b);
//
// The factorisation is in double precision, the solve in single: about 1e-6 relative on cloth matrices. Results are
// bit-identical at any number of threads. Solvers that live in elimination order use a workspace and save the copies.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/aligned_floats.h"
#include "tulle/numerics/team_barrier.h"

#include <Eigen/SparseCore>

#include <memory>
#include <vector>

namespace tulle::numerics {

using SparseMatrix = Eigen::SparseMatrix<double>;

struct CholeskyFactor;
struct PanelKernels;

// Memory of one solve; each concurrent solve needs its own.
class CholeskyWorkspace {
public:
    // |V| rows of four floats (x, y, z, 0) in elimination order.
    float* rows() { return rows_.data(); }
    const float* rows() const { return rows_.data(); }
    // For the threads that share this workspace.
    TeamBarrier& barrier() { return *barrier_; }

private:
    friend class SparseCholesky;
    AlignedFloats rows_;  // then the top's right-hand side, then updates
    std::unique_ptr<TeamBarrier> barrier_ = std::make_unique<TeamBarrier>();
    std::vector<AlignedFloats> scratch_;                 // one per thread
    std::vector<std::vector<std::vector<int>>> shares_;  // tasks of each thread, for every number of threads
};

struct RowRange {
    int first = 0, last = 0;  // half-open
};

class SparseCholesky {
public:
    // Reads the lower half of the matrix. Throws an Error that names the row if it is not positive definite.
    explicit SparseCholesky(const SparseMatrix& matrix);
    // The same with other kernels than the fastest, to compare them.
    SparseCholesky(const SparseMatrix& matrix, const PanelKernels& kernels);
    ~SparseCholesky();
    SparseCholesky(SparseCholesky&&) noexcept;
    SparseCholesky& operator=(SparseCholesky&&) noexcept;

    int size() const;
    const std::vector<int>& order() const;  // order()[place] = row of the matrix
    long nonzeros() const;                  // of the factor, with the zeros that supernodes store
    double analysis_milliseconds() const;
    double factorisation_milliseconds() const;

    // Solves for any vectors of three columns in the order of the matrix.
    Positions solve(const Positions& right_hand_side) const;

    // Enough for all threads that OpenMP would use now.
    CholeskyWorkspace make_workspace() const;
    // Solves workspace.rows() in place.
    void solve_in_place(CholeskyWorkspace& workspace) const;
    // The same, called by all threads of a team. Threads must meet at a barrier before they use each other's rows.
    void solve_in_team(CholeskyWorkspace& workspace) const;

    // The parts of solve_in_team, for callers that have more to do with a task's rows while they are in the cache:
    //     for my tasks: forward;   solve_top;   for my tasks: backward.
    // Rows of different tasks never meet in the matrix: they are coupled through the top rows only.
    int task_count() const;
    RowRange task_rows(int task) const;
    RowRange top_rows() const;  // the last rows
    // The tasks of the calling thread, or of the only thread outside of a team.
    const std::vector<int>& my_tasks(const CholeskyWorkspace& workspace) const;
    void forward(int task, CholeskyWorkspace& workspace) const;
    // The right-hand side of the top rows, which solve_top reads; it leaves the solution in the rows themselves.
    float* top_right_hand_side(CholeskyWorkspace& workspace) const;
    // Begins and ends with a barrier.
    void solve_top(CholeskyWorkspace& workspace) const;
    void backward(int task, CholeskyWorkspace& workspace) const;

private:
    std::unique_ptr<const CholeskyFactor> factor_;
};

}  // namespace tulle::numerics
