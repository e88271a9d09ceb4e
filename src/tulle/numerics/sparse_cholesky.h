// SPDX-License-Identifier: Apache-2.0
// Direct solution of A x = b for a sparse, symmetric, positive definite matrix that is factored once and solved many
// times with three right-hand sides (the x, y and z of a cloth).
//
//     const SparseCholesky cholesky(matrix);
//     const Positions x = cholesky.solve(b);
//
// The factorisation is in double precision, the solve in single: about 1e-6 relative on cloth matrices; DoubleCholesky
// solves in double too. Results are bit-identical at any number of threads. Solvers that live in elimination order use
// a workspace and save the copies.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/aligned_array.h"
#include "tulle/numerics/sparse_matrix.h"
#include "tulle/numerics/team_barrier.h"

#include <memory>
#include <span>
#include <vector>

namespace tulle::numerics {

struct CholeskyFactor;
struct PanelKernels;

struct RowRange {
    int first = 0, last = 0;  // half-open

    int count() const { return last - first; }
};

// What one thread of a team does.
struct CholeskyShare {
    std::vector<int> tasks;
    bool top = false;  // the one that looks after the right-hand side of the top rows
};

// Memory of one solve; each concurrent solve needs its own.
class CholeskyWorkspace {
public:
    // |V| rows of four floats (x, y, z, 0) in elimination order, then what the solve needs, then the caller's own.
    float* rows() { return rows_.data(); }
    const float* rows() const { return rows_.data(); }
    // For the threads that share this workspace.
    TeamBarrier& barrier() { return *barrier_; }

private:
    friend class SparseCholesky;
    AlignedFloats rows_;  // then the top's right-hand side, then updates
    std::unique_ptr<TeamBarrier> barrier_ = std::make_unique<TeamBarrier>();
    std::vector<AlignedFloats> scratch_;              // one per thread
    std::vector<std::vector<CholeskyShare>> shares_;  // of each thread, for every number of threads
};

// Rows that are solved alone, given the top rows that they touch.
struct CholeskyTaskView {
    RowRange rows;
    std::span<const int> boundary;  // the top rows that it touches, ascending
    int boundary_row;               // where it keeps its copies of them in the workspace
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

    // Takes the numbers of another matrix with entries in the same places; order, tasks, workspaces and memory stay.
    // Throws an Error if the entries lie elsewhere, or as the constructor does; it can then be refactored again, but
    // must not solve before.
    void refactor(const SparseMatrix& matrix);

    int size() const;
    const std::vector<int>& order() const;  // order()[place] = row of the matrix
    long nonzeros() const;                  // of the factor, with the zeros that supernodes store
    double analysis_milliseconds() const;
    double factorisation_milliseconds() const;  // of the last

    // Solves for any vectors of three columns in the order of the matrix.
    Positions solve(const Positions& right_hand_side) const;

    // Enough for all threads that OpenMP would use now, and `own_rows` more for the caller.
    CholeskyWorkspace make_workspace(int own_rows = 0) const;
    int first_own_row() const;
    // Solves workspace.rows() in place.
    void solve_in_place(CholeskyWorkspace& workspace) const;
    // The same, called by all threads of a team. Threads must meet at a barrier before they use each other's rows.
    void solve_in_team(CholeskyWorkspace& workspace) const;

    // The parts of solve_in_team, for callers that have more to do with a task's rows while they are in the cache:
    //     for my tasks: clear_boundary, forward;   solve_top;   for my tasks: backward.
    // Rows of different tasks never meet in the matrix: they are coupled through the top rows only. What is added to a
    // task's copies of its boundary before `forward` reaches the right-hand side of the top; after `backward` they
    // hold the solution there.
    int task_count() const;
    CholeskyTaskView task(int task) const;
    RowRange top_rows() const;            // the last rows
    int top_right_hand_side_row() const;  // of the workspace; solve_top reads it and writes the top rows
    const CholeskyShare& my_share(const CholeskyWorkspace& workspace) const;
    void clear_boundary(int task, CholeskyWorkspace& workspace) const;
    void forward(int task, CholeskyWorkspace& workspace) const;
    void solve_top(CholeskyWorkspace& workspace) const;  // begins and ends with a barrier
    void backward(int task, CholeskyWorkspace& workspace) const;

private:
    std::unique_ptr<CholeskyFactor> factor_;
};

}  // namespace tulle::numerics
