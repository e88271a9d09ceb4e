// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky.h"

#include "tulle/core/parallel.h"
#include "tulle/numerics/sparse_cholesky_solve.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace tulle::numerics {

namespace {

// The heaviest task goes to the thread that has least to do, and so on.
std::vector<CholeskyShare> share_out(const std::vector<CholeskyTask>& tasks, int threads) {
    std::vector<int> order(tasks.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return tasks[a].cost > tasks[b].cost; });
    std::vector<CholeskyShare> shares(threads);
    std::vector<double> loads(threads, 0.0);
    const auto least_loaded = [&] { return std::min_element(loads.begin(), loads.end()) - loads.begin(); };
    for (const int task : order) {
        const auto thread = least_loaded();
        loads[thread] += tasks[task].cost;
        shares[thread].tasks.push_back(task);
    }
    for (CholeskyShare& share : shares) std::sort(share.tasks.begin(), share.tasks.end());
    shares[least_loaded()].top = true;
    return shares;
}

// The calling thread's part of `count` pieces.
RowRange share_of(size_t count, int threads) {
    const long thread = omp_get_thread_num();
    if (thread >= threads) return {};
    const long pieces = static_cast<long>(count);
    return {static_cast<int>(pieces * thread / threads), static_cast<int>(pieces * (thread + 1) / threads)};
}

}  // namespace

SparseCholesky::SparseCholesky(const SparseMatrix& matrix) : SparseCholesky(matrix, panel_kernels()) {}

SparseCholesky::SparseCholesky(const SparseMatrix& matrix, const PanelKernels& kernels)
    : factor_(std::make_unique<CholeskyFactor>(make_factor(matrix, kernels))) {}

SparseCholesky::~SparseCholesky() = default;
SparseCholesky::SparseCholesky(SparseCholesky&&) noexcept = default;
SparseCholesky& SparseCholesky::operator=(SparseCholesky&&) noexcept = default;

void SparseCholesky::refactor(const SparseMatrix& matrix) { factor_->refactor(matrix); }

int SparseCholesky::size() const { return static_cast<int>(factor_->plan.order.size()); }
const std::vector<int>& SparseCholesky::order() const { return factor_->plan.order; }
long SparseCholesky::nonzeros() const { return factor_->nonzeros; }
double SparseCholesky::analysis_milliseconds() const { return factor_->analysis_milliseconds; }
double SparseCholesky::factorisation_milliseconds() const { return factor_->factorisation_milliseconds; }

int SparseCholesky::task_count() const { return static_cast<int>(factor_->tasks.size()); }
CholeskyTaskView SparseCholesky::task(int task) const {
    const CholeskyTask& found = factor_->tasks[task];
    return {found.rows, found.boundary, found.buffer};
}
RowRange SparseCholesky::top_rows() const { return {factor_->plan.first_top_row, size()}; }
int SparseCholesky::top_right_hand_side_row() const { return size(); }
int SparseCholesky::first_own_row() const { return factor_->workspace_rows; }

CholeskyWorkspace SparseCholesky::make_workspace(int own_rows) const {
    CholeskyWorkspace workspace;
    workspace.rows_ = AlignedFloats(4 * (static_cast<size_t>(factor_->workspace_rows) + own_rows));
    for (int thread = 0; thread < thread_count(); ++thread) {
        workspace.scratch_.emplace_back(factor_->scratch_floats());
        workspace.shares_.push_back(share_out(factor_->tasks, thread + 1));
    }
    return workspace;
}

const CholeskyShare& SparseCholesky::my_share(const CholeskyWorkspace& workspace) const {
    static const CholeskyShare none;
    const size_t threads = std::min(workspace.shares_.size(), static_cast<size_t>(omp_get_num_threads()));
    const auto thread = static_cast<size_t>(omp_get_thread_num());
    return thread < threads ? workspace.shares_[threads - 1][thread] : none;
}

void SparseCholesky::clear_boundary(int task, CholeskyWorkspace& workspace) const {
    factor_->clear_boundary(factor_->tasks[task], workspace.rows());
}

void SparseCholesky::forward(int task, CholeskyWorkspace& workspace) const {
    factor_->forward(factor_->tasks[task], workspace.rows());
}

void SparseCholesky::backward(int task, CholeskyWorkspace& workspace) const {
    factor_->backward(factor_->tasks[task], workspace.rows(), workspace.scratch_[omp_get_thread_num()].data());
}

void SparseCholesky::solve_top(CholeskyWorkspace& workspace) const {
    const auto thread = static_cast<size_t>(omp_get_thread_num());
    const int threads = std::min(static_cast<int>(workspace.scratch_.size()), omp_get_num_threads());
    float* rows = workspace.rows();
    float* scratch = thread < workspace.scratch_.size() ? workspace.scratch_[thread].data() : nullptr;
    workspace.barrier().wait();
    for (const TopLevel& level : factor_->levels) {
        if (level.up.empty()) continue;
        factor_->climb(level, share_of(level.up.size(), threads), rows, scratch);
        workspace.barrier().wait();
    }
    for (auto level = factor_->levels.rbegin(); level != factor_->levels.rend(); ++level) {
        factor_->descend(*level, share_of(level->down.size(), threads), rows, scratch);
        workspace.barrier().wait();
    }
}

void SparseCholesky::solve_in_team(CholeskyWorkspace& workspace) const {
    const CholeskyShare& share = my_share(workspace);
    for (const int task : share.tasks) {
        clear_boundary(task, workspace);
        forward(task, workspace);
    }
    if (share.top) {
        const RowRange top = top_rows();
        std::memcpy(workspace.rows() + 4 * static_cast<size_t>(top_right_hand_side_row()),
                    workspace.rows() + 4 * static_cast<size_t>(top.first),
                    4 * sizeof(float) * static_cast<size_t>(top.count()));
    }
    solve_top(workspace);
    for (const int task : share.tasks) backward(task, workspace);
}

void SparseCholesky::solve_in_place(CholeskyWorkspace& workspace) const {
#pragma omp parallel
    solve_in_team(workspace);
}

Positions SparseCholesky::solve(const Positions& right_hand_side) const {
    assert(right_hand_side.rows() == size());
    CholeskyWorkspace workspace = make_workspace();
    float* rows = workspace.rows();
    const std::vector<int>& places = order();
    parallel_for(size(), [&](long place) {
        for (int axis = 0; axis < 3; ++axis)
            rows[4 * place + axis] = static_cast<float>(right_hand_side(places[place], axis));
    });
    solve_in_place(workspace);
    Positions solution(size(), 3);
    parallel_for(size(), [&](long place) {
        for (int axis = 0; axis < 3; ++axis) solution(places[place], axis) = rows[4 * place + axis];
    });
    return solution;
}

}  // namespace tulle::numerics
