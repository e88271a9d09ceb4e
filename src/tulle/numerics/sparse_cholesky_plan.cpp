// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_plan.h"

#include "tulle/core/error.h"
#include "tulle/numerics/sparse_cholesky_tree.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <utility>

namespace tulle::numerics {

namespace {

// Many small tasks keep more threads busy, few large ones leave a smaller top. Measured on two threads from 925 to
// 222,145 particles.
constexpr double cycles_per_task = 100e3;
constexpr double fewest_tasks = 4;
constexpr double most_tasks = 32;
constexpr double barrier_cycles = 3000;  // what a top node costs in waiting, at most

std::vector<double> node_costs(const SupernodeTree& tree, const CostModel& model) {
    std::vector<double> costs(tree.size(), 0.0);
    for (size_t s = 0; s < tree.size(); ++s)
        if (!tree[s].merged) costs[s] = model.cost(static_cast<long>(tree[s].columns.size()), tree[s].below);
    return costs;
}

std::vector<double> subtree_costs(const SupernodeTree& tree, const CostModel& model) {
    std::vector<double> costs = node_costs(tree, model);
    for (size_t s = 0; s < tree.size(); ++s)
        if (!tree[s].merged && tree[s].parent >= 0) costs[tree[s].parent] += costs[s];
    return costs;
}

double task_size(const SupernodeTree& tree, const CostModel& model) {
    double total = 0;
    for (const double cost : node_costs(tree, model)) total += cost;
    return std::max(total / most_tasks, std::min(cycles_per_task, total / fewest_tasks));
}

// The heaviest subtree is opened, its root joining the top, until none is heavier than `size`.
std::vector<bool> choose_top(const SupernodeTree& tree, const std::vector<double>& costs, double size) {
    std::vector<bool> top(tree.size(), false);
    std::priority_queue<std::pair<double, int>> subtrees;
    for (int s = 0; s < static_cast<int>(tree.size()); ++s)
        if (!tree[s].merged && tree[s].parent < 0) subtrees.emplace(costs[s], s);
    while (!subtrees.empty() && subtrees.top().first > size) {
        const int node = subtrees.top().second;
        subtrees.pop();
        if (tree[node].children.empty()) continue;
        top[node] = true;
        for (const int child : tree[node].children) subtrees.emplace(costs[child], child);
    }
    return top;
}

// Turns the tree of supernodes into the final numbering: tasks one after the other, then the top.
class Planner {
public:
    Planner(const SupernodeTree& tree, const std::vector<bool>& top, const std::vector<double>& costs, double size)
        : tree_(tree), top_(top), costs_(costs), size_(size), number_(tree.size(), -1) {}

    FactorPlan plan() {
        for (int s = 0; s < static_cast<int>(tree_.size()); ++s)
            if (top_[s] && !tree_[s].merged) add_tasks(s, tree_[s].children);
        std::vector<int> roots;
        for (int s = 0; s < static_cast<int>(tree_.size()); ++s)
            if (!tree_[s].merged && tree_[s].parent < 0) roots.push_back(s);
        add_tasks(-1, roots);
        plan_.first_top_node = static_cast<int>(plan_.nodes.size());
        plan_.first_top_row = static_cast<int>(plan_.order.size());
        for (int s = 0; s < static_cast<int>(tree_.size()); ++s)
            if (top_[s] && !tree_[s].merged) add_node(s);
        link();
        return std::move(plan_);
    }

private:
    // Subtrees below one top node, several small ones to a task.
    void add_tasks(int parent, const std::vector<int>& subtrees) {
        double filled = size_;
        for (const int root : subtrees) {
            if (top_[root]) continue;
            if (filled + costs_[root] > size_) {
                plan_.tasks.emplace_back();
                plan_.tasks.back().first_node = static_cast<int>(plan_.nodes.size());
                plan_.tasks.back().first_row = static_cast<int>(plan_.order.size());
                task_parents_.push_back(parent);
                filled = 0;
            }
            filled += costs_[root];
            for (const int node : descendants(root)) add_node(node);
            plan_.tasks.back().last_node = static_cast<int>(plan_.nodes.size());
            plan_.tasks.back().last_row = static_cast<int>(plan_.order.size());
            plan_.tasks.back().cost = filled;
        }
    }

    std::vector<int> descendants(int root) const {
        std::vector<int> found{root};
        for (size_t i = 0; i < found.size(); ++i)
            found.insert(found.end(), tree_[found[i]].children.begin(), tree_[found[i]].children.end());
        std::sort(found.begin(), found.end());
        return found;
    }

    void add_node(int s) {
        number_[s] = static_cast<int>(plan_.nodes.size());
        plan_.nodes.emplace_back();
        plan_.nodes.back().first = static_cast<int>(plan_.order.size());
        plan_.nodes.back().columns = static_cast<int>(tree_[s].columns.size());
        plan_.order.insert(plan_.order.end(), tree_[s].columns.begin(), tree_[s].columns.end());
    }

    void link() {
        for (size_t s = 0; s < tree_.size(); ++s) {
            if (tree_[s].merged || tree_[s].parent < 0) continue;
            plan_.nodes[number_[s]].parent = number_[tree_[s].parent];
        }
        for (size_t s = 0; s < plan_.nodes.size(); ++s)
            if (plan_.nodes[s].parent >= 0) plan_.nodes[plan_.nodes[s].parent].children.push_back(static_cast<int>(s));
        for (size_t t = 0; t < plan_.tasks.size(); ++t)
            if (task_parents_[t] >= 0) plan_.tasks[t].parent = number_[task_parents_[t]];
    }

    const SupernodeTree& tree_;
    const std::vector<bool>& top_;
    const std::vector<double>& costs_;
    double size_;
    std::vector<int> number_;  // tree node → plan node
    std::vector<int> task_parents_;
    FactorPlan plan_;
};

// Rows of a node: those its columns touch in the matrix and those of its children, without its own columns.
void find_rows(FactorPlan& plan, const Graph& graph) {
    std::vector<int> mark(graph.vertex_count(), -1);
    for (int s = 0; s < static_cast<int>(plan.nodes.size()); ++s) {
        PlanNode& node = plan.nodes[s];
        const int last = node.first + node.columns;
        const auto add = [&](int row) {
            if (row < last || mark[row] == s) return;
            mark[row] = s;
            node.below.push_back(row);
        };
        for (int column = node.first; column < last; ++column)
            for (int k = graph.first[column]; k < graph.first[column + 1]; ++k) add(graph.neighbours[k]);
        for (const int child : node.children)
            for (const int row : plan.nodes[child].below) add(row);
        std::sort(node.below.begin(), node.below.end());
    }
}

void find_boundaries(FactorPlan& plan) {
    for (PlanTask& task : plan.tasks) {
        for (int s = task.first_node; s < task.last_node; ++s)
            if (plan.nodes[s].parent >= task.last_node)
                task.boundary.insert(task.boundary.end(), plan.nodes[s].below.begin(), plan.nodes[s].below.end());
        std::sort(task.boundary.begin(), task.boundary.end());
        task.boundary.erase(std::unique(task.boundary.begin(), task.boundary.end()), task.boundary.end());
    }
}

void find_levels(FactorPlan& plan) {
    std::vector<int> level(plan.nodes.size(), 0);
    for (int s = plan.first_top_node; s < static_cast<int>(plan.nodes.size()); ++s) {
        if (level[s] >= static_cast<int>(plan.levels.size())) plan.levels.resize(level[s] + 1);
        plan.levels[level[s]].push_back(s);
        const int parent = plan.nodes[s].parent;
        if (parent >= 0) level[parent] = std::max(level[parent], level[s] + 1);
    }
}

std::vector<int> composed(const std::vector<int>& outer, const std::vector<int>& inner) {
    std::vector<int> result;
    result.reserve(inner.size());
    for (const int place : inner) result.push_back(outer[place]);
    return result;
}

std::vector<int> lower_pattern(const SparseMatrix& matrix) {
    std::vector<int> pattern;
    pattern.reserve(matrix.nonZeros() + matrix.cols());
    for (int column = 0; column < matrix.outerSize(); ++column) {
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            if (entry.row() >= column) pattern.push_back(static_cast<int>(entry.row()));
        pattern.push_back(-1);
    }
    return pattern;
}

}  // namespace

FactorPlan make_plan(const SparseMatrix& matrix) {
    if (matrix.rows() != matrix.cols())
        throw Error("a matrix of {} rows and {} columns has no Cholesky factor; give a square one",
                    static_cast<long>(matrix.rows()), static_cast<long>(matrix.cols()));
    const Graph graph = lower_graph(matrix);
    const std::vector<int> dissection = nested_dissection(graph);
    const std::vector<int> post = postorder(elimination_tree(permuted(graph, dissection)).parent);
    const std::vector<int> elimination = composed(dissection, post);

    const CostModel model;
    SupernodeTree tree = fundamental_supernodes(elimination_tree(permuted(graph, elimination)));
    amalgamate(tree, {model, 0, std::vector<bool>(tree.size(), true)});
    const double size = task_size(tree, model);
    const std::vector<bool> top = choose_top(tree, subtree_costs(tree, model), size);
    amalgamate(tree, {model, barrier_cycles, top});

    FactorPlan plan = Planner(tree, top, subtree_costs(tree, model), size).plan();
    plan.order = composed(elimination, plan.order);
    find_rows(plan, permuted(graph, plan.order));
    find_boundaries(plan);
    find_levels(plan);
    plan.pattern = lower_pattern(matrix);
    return plan;
}

void check_entries(const FactorPlan& plan, const SparseMatrix& matrix) {
    if (matrix.rows() != matrix.cols() || lower_pattern(matrix) != plan.pattern)
        throw Error(
            "a matrix of {} rows has its entries elsewhere than the one of {} rows that was factored before; "
            "keep entries that become zero, or make a new factor",
            static_cast<long>(matrix.rows()), plan.order.size());
    for (int column = 0; column < matrix.outerSize(); ++column)
        for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
            if (!std::isfinite(entry.value()))
                throw Error("row {} of the matrix holds a number that is not finite; check masses and stiffnesses",
                            static_cast<long>(entry.row()));
}

void throw_not_positive_definite(const FactorPlan& plan, int place) {
    throw Error("the matrix is not positive definite at row {}; masses and stiffnesses must be positive",
                plan.order[place]);
}

int place_in_front(const PlanNode& node, int row) {
    if (row < node.first + node.columns) return row - node.first;
    const auto found = std::lower_bound(node.below.begin(), node.below.end(), row);
    return node.columns + static_cast<int>(found - node.below.begin());
}

std::vector<int> places_in_front(const PlanNode& node, const std::vector<int>& rows) {
    std::vector<int> places;
    places.reserve(rows.size());
    for (const int row : rows) places.push_back(place_in_front(node, row));
    return places;
}

}  // namespace tulle::numerics
