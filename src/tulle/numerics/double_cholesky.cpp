// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/double_cholesky.h"

#include "tulle/core/timer.h"
#include "tulle/numerics/aligned_array.h"
#include "tulle/numerics/double_cholesky_kernel.h"
#include "tulle/numerics/sparse_cholesky_ordering.h"
#include "tulle/numerics/sparse_cholesky_sweep.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tulle::numerics {

namespace {

using Doubles = AlignedArray<double>;

int up_to_four(size_t count) { return static_cast<int>((count + 3) / 4 * 4); }

// use(column, row, value) for the lower half, both in the order of the matrix.
template <typename Use>
void each_lower_entry(const SparseMatrix& matrix, const Use& use) {
    for (int column = 0; column < matrix.outerSize(); ++column)
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            if (entry.row() >= column) use(column, static_cast<int>(entry.row()), entry.value());
}

}  // namespace

// L by supernodes, made by multifrontal elimination [Duff and Reid 1983, Liu 1992]. Unlike the panels of SparseCholesky
// it holds no inverses: solving with the triangles themselves is backward stable however ill-conditioned the matrix.
struct DoubleFactor {
    FactorPlan plan;
    const FrontKernels* kernels = nullptr;
    std::vector<Front> fronts;             // one per node
    std::vector<std::vector<int>> places;  // of the rows below each front, among the rows of its parent's
    std::vector<long> first_rows;          // of each front in the workspace of a solve
    long workspace_rows = 0;
    std::vector<long> targets;  // where each entry of the matrix's lower half goes among the values
    Doubles values;
    long nonzeros = 0;
    double analysis_milliseconds = 0, factorisation_milliseconds = 0;

    DoubleFactor(const SparseMatrix& matrix, const FrontKernels& chosen);
    void refactor(const SparseMatrix& matrix);
    VectorX solve(const VectorX& right_hand_side) const;

private:
    long lay_out();
    void link();
    void find_targets(const SparseMatrix& matrix);
    int row_of(int node, int row) const;
    void eliminate(int node, std::vector<Doubles>& updates);
    void take(int child, const Front& front, const Doubles& sent, Doubles& update);
    void climb(int node, const VectorX& right_hand_side, Doubles& workspace) const;
    void descend(int node, Doubles& workspace, VectorX& solution) const;
};

DoubleFactor::DoubleFactor(const SparseMatrix& matrix, const FrontKernels& chosen) : kernels(&chosen) {
    const Stopwatch watch;
    plan = make_plan(matrix);
    values = Doubles(static_cast<size_t>(lay_out()));
    link();
    find_targets(matrix);
    analysis_milliseconds = watch.milliseconds();
    refactor(matrix);
}

// The number of values.
long DoubleFactor::lay_out() {
    long end = 0;
    for (const PlanNode& node : plan.nodes) {
        const int width = up_to_four(static_cast<size_t>(node.columns)), below = up_to_four(node.below.size());
        fronts.push_back({end, node.columns, width, below, width + below});
        first_rows.push_back(workspace_rows);
        workspace_rows += width + below;
        end += static_cast<long>(width + below) * width;
        nonzeros += node.columns * (static_cast<long>(node.below.size()) + (node.columns + 1L) / 2);
    }
    return end;
}

int DoubleFactor::row_of(int node, int row) const {
    const int place = place_in_front(plan.nodes[node], row);
    const Front& front = fronts[node];
    return place < front.columns ? place : place - front.columns + front.width;
}

void DoubleFactor::link() {
    for (const PlanNode& node : plan.nodes) {
        std::vector<int>& rows = places.emplace_back();
        if (node.parent < 0) continue;
        for (const int row : node.below) rows.push_back(row_of(node.parent, row));
    }
}

void DoubleFactor::find_targets(const SparseMatrix& matrix) {
    const std::vector<int> place = inverse_of(plan.order);
    std::vector<int> node_of;
    for (const PlanNode& node : plan.nodes)
        node_of.insert(node_of.end(), node.columns, static_cast<int>(&node - plan.nodes.data()));
    each_lower_entry(matrix, [&](int column, int row, double) {
        const auto [first, second] = std::minmax(place[column], place[row]);
        const int node = node_of[first];
        const long inside = first - plan.nodes[node].first;
        targets.push_back(fronts[node].values + inside * fronts[node].height + row_of(node, second));
    });
}

void DoubleFactor::refactor(const SparseMatrix& matrix) {
    const Stopwatch watch;
    check_entries(plan, matrix);
    std::fill_n(values.data(), values.size(), 0.0);
    auto target = targets.begin();
    each_lower_entry(matrix, [&](int, int, double value) { values.data()[*target++] = value; });
    std::vector<Doubles> updates(fronts.size());  // of each node, until its parent takes it
    sweep_up(plan, [&](int node) { eliminate(node, updates); });
    factorisation_milliseconds = watch.milliseconds();
}

void DoubleFactor::eliminate(int node, std::vector<Doubles>& updates) {
    const Front& front = fronts[node];
    Doubles update(static_cast<size_t>(front.below) * front.below);
    for (const int child : plan.nodes[node].children) take(child, front, std::exchange(updates[child], {}), update);
    const int done = kernels->factor(front, values.data() + front.values);
    if (done < front.columns) throw_not_positive_definite(plan, plan.nodes[node].first + done);
    kernels->update(front, values.data() + front.values, update.data());
    updates[node] = std::move(update);
}

// What the child leaves goes to the columns of the front or, right of them, to its own update.
void DoubleFactor::take(int child, const Front& front, const Doubles& sent, Doubles& update) {
    const std::vector<int>& rows = places[child];
    const double* from = sent.data();
    for (size_t j = 0; j < rows.size(); ++j, from += fronts[child].below) {
        const bool inside = rows[j] < front.width;
        const int shift = inside ? 0 : front.width;
        double* to = inside ? values.data() + front.values + static_cast<long>(rows[j]) * front.height
                            : update.data() + static_cast<long>(rows[j] - shift) * front.below;
        for (size_t i = j; i < rows.size(); ++i) to[rows[i] - shift] += from[i];
    }
}

VectorX DoubleFactor::solve(const VectorX& right_hand_side) const {
    Doubles workspace(static_cast<size_t>(workspace_rows));
    VectorX solution(right_hand_side.size());
    sweep_up(plan, [&](int node) { climb(node, right_hand_side, workspace); });
    sweep_down(plan, [&](int node) { descend(node, workspace, solution); });
    return solution;
}

void DoubleFactor::climb(int node, const VectorX& right_hand_side, Doubles& workspace) const {
    const Front& front = fronts[node];
    double* rows = workspace.data() + first_rows[node];
    for (int k = 0; k < front.columns; ++k) rows[k] = right_hand_side(plan.order[plan.nodes[node].first + k]);
    for (const int child : plan.nodes[node].children) {
        const double* sent = workspace.data() + first_rows[child] + fronts[child].width;
        for (const int row : places[child]) rows[row] += *sent++;
    }
    kernels->forward(front, values.data() + front.values, rows);
}

void DoubleFactor::descend(int node, Doubles& workspace, VectorX& solution) const {
    const Front& front = fronts[node];
    double* rows = workspace.data() + first_rows[node];
    double* below = rows + front.width;
    for (const int row : plan.nodes[node].below) *below++ = solution(plan.order[row]);
    kernels->backward(front, values.data() + front.values, rows);
    for (int k = 0; k < front.columns; ++k) solution(plan.order[plan.nodes[node].first + k]) = rows[k];
}

DoubleCholesky::DoubleCholesky(const SparseMatrix& matrix) : DoubleCholesky(matrix, front_kernels()) {}
DoubleCholesky::DoubleCholesky(const SparseMatrix& matrix, const FrontKernels& kernels)
    : factor_(std::make_unique<DoubleFactor>(matrix, kernels)) {}

DoubleCholesky::~DoubleCholesky() = default;
DoubleCholesky::DoubleCholesky(DoubleCholesky&&) noexcept = default;
DoubleCholesky& DoubleCholesky::operator=(DoubleCholesky&&) noexcept = default;

void DoubleCholesky::refactor(const SparseMatrix& matrix) { factor_->refactor(matrix); }
int DoubleCholesky::size() const { return static_cast<int>(factor_->plan.order.size()); }
long DoubleCholesky::nonzeros() const { return factor_->nonzeros; }
double DoubleCholesky::analysis_milliseconds() const { return factor_->analysis_milliseconds; }
double DoubleCholesky::factorisation_milliseconds() const { return factor_->factorisation_milliseconds; }

VectorX DoubleCholesky::solve_column(const VectorX& right_hand_side) const {
    assert(right_hand_side.size() == size());
    return factor_->solve(right_hand_side);
}

}  // namespace tulle::numerics
