// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_solve.h"

#include "tulle/core/timer.h"
#include "tulle/numerics/sparse_cholesky_factor.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tulle::numerics {

namespace {

constexpr int piece_rows = 96;     // of a panel on the way up; a multiple of 24, the tile of the kernel
constexpr int piece_columns = 32;  // of a panel on the way down; a multiple of 4

float* row_at(float* rows, int row) { return rows + 4 * static_cast<long>(row); }
const float* row_at(const float* rows, int row) { return rows + 4 * static_cast<long>(row); }

int place_in(const std::vector<int>& sorted, int row) {
    return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), row) - sorted.begin());
}

// Row offsets of every panel of a task: inside it the rows themselves, outside its buffer.
void place_task(const FactorPlan& plan, const CholeskyTask& task, CholeskyFactor& factor) {
    for (int s = task.first_panel; s < task.last_panel; ++s) {
        Panel& panel = factor.panels[s];
        panel.offsets = static_cast<long>(factor.offsets.size());
        for (const int row : plan.nodes[s].below)
            factor.offsets.push_back(4u * (row < task.rows.last ? row : task.buffer + place_in(task.boundary, row)));
        for (int k = 0; k < panel.height - panel.below; ++k)
            factor.offsets.push_back(4u * (panel.first + std::min(k, panel.columns - 1)));
    }
}

void add_tasks(const FactorPlan& plan, CholeskyFactor& factor) {
    for (const PlanTask& task : plan.tasks) {
        factor.tasks.push_back({{task.first_row, task.last_row},
                                task.first_node,
                                task.last_node,
                                factor.workspace_rows,
                                task.boundary,
                                task.cost});
        factor.workspace_rows += static_cast<int>(task.boundary.size());
        place_task(plan, factor.tasks.back(), factor);
    }
}

void add_top(const FactorPlan& plan, CholeskyFactor& factor, const std::vector<Panel>& panels) {
    const int size = static_cast<int>(plan.order.size());
    for (int s = plan.first_top_node; s < static_cast<int>(plan.nodes.size()); ++s) {
        const PlanNode& node = plan.nodes[s];
        factor.top.push_back(
            {panels[s], size + node.first - plan.first_top_row, factor.workspace_rows, node.below, {}});
        factor.workspace_rows += static_cast<int>(node.below.size());
    }
    for (size_t t = 0; t < plan.tasks.size(); ++t) {
        const int parent = plan.tasks[t].parent;
        if (parent < 0) continue;
        factor.top[parent - plan.first_top_node].contributions.push_back(
            {factor.tasks[t].buffer, places_in_front(plan.nodes[parent], plan.tasks[t].boundary)});
    }
    for (size_t s = plan.first_top_node; s < plan.nodes.size(); ++s) {
        const int parent = plan.nodes[s].parent;
        if (parent < 0) continue;
        factor.top[parent - plan.first_top_node].contributions.push_back(
            {factor.top[s - plan.first_top_node].buffer, places_in_front(plan.nodes[parent], plan.nodes[s].below)});
    }
}

void add_levels(const FactorPlan& plan, CholeskyFactor& factor) {
    for (const std::vector<int>& nodes : plan.levels) {
        TopLevel& level = factor.levels.emplace_back();
        for (const int s : nodes) {
            const int node = s - plan.first_top_node;
            const Panel& panel = factor.top[node].panel;
            for (int row = 0; row < panel.below; row += piece_rows)
                level.up.push_back({node, row, std::min(row + piece_rows, panel.below)});
            for (int column = 0; column < panel.columns; column += piece_columns)
                level.down.push_back({node, column, std::min(column + piece_columns, panel.columns)});
        }
    }
}

}  // namespace

CholeskyFactor make_factor(const SparseMatrix& matrix, const PanelKernels& kernels) {
    const Stopwatch watch;
    CholeskyFactor factor{};
    factor.plan = make_plan(matrix);
    factor.kernels = &kernels;
    const FactorPlan& plan = factor.plan;
    const std::vector<Panel> panels = lay_out_panels(plan);
    const int size = static_cast<int>(plan.order.size());
    factor.workspace_rows = size + (size - plan.first_top_row);
    factor.panels.assign(panels.begin(), panels.begin() + plan.first_top_node);
    add_tasks(plan, factor);
    add_top(plan, factor, panels);
    add_levels(plan, factor);
    long end = 0;
    for (const Panel& panel : panels) {
        factor.tallest = std::max(factor.tallest, panel.height);
        factor.nonzeros += panel.columns * (panel.below + (panel.columns + 1L) / 2);
        end = panel.values + static_cast<long>(panel.height) * panel.columns;
    }
    for (int k = 0; k < factor.tallest; ++k) factor.counting.push_back(4u * k);
    factor.values = AlignedFloats(static_cast<size_t>(end));
    factor.analysis_milliseconds = watch.milliseconds();
    factor.refactor(matrix);
    return factor;
}

void CholeskyFactor::refactor(const SparseMatrix& matrix) {
    const Stopwatch watch;
    factorise(plan, matrix, values.data());
    factorisation_milliseconds = watch.milliseconds();
}

void CholeskyFactor::clear_boundary(const CholeskyTask& task, float* rows) const {
    std::memset(row_at(rows, task.buffer), 0, task.boundary.size() * 4 * sizeof(float));
}

void CholeskyFactor::forward(const CholeskyTask& task, float* rows) const {
    kernels->forward(panels.data() + task.first_panel, panels.data() + task.last_panel, values.data(), offsets.data(),
                     rows);
}

void CholeskyFactor::backward(const CholeskyTask& task, float* rows, float* scratch) const {
    float* boundary = row_at(rows, task.buffer);
    for (const int row : task.boundary) {
        std::memcpy(boundary, row_at(rows, row), 4 * sizeof(float));
        boundary += 4;
    }
    kernels->backward(panels.data() + task.first_panel, panels.data() + task.last_panel, values.data(), offsets.data(),
                      rows, scratch);
}

// Places [first, last) of a node's front: its right-hand side and what its children have sent.
void CholeskyFactor::assemble(const TopNode& node, int first, int last, const float* rows, float* front) const {
    const int own = std::clamp(node.panel.columns, first, last);
    std::memcpy(front, row_at(rows, node.right_hand_side + first), (own - first) * 4 * sizeof(float));
    std::memset(row_at(front, own - first), 0, (last - own) * 4 * sizeof(float));
    for (const Contribution& part : node.contributions) {
        const float* sent = row_at(rows, part.buffer);
        const int end = place_in(part.places, last);
        for (int k = place_in(part.places, first); k < end; ++k) {
            float* to = row_at(front, part.places[k] - first);
            for (int i = 0; i < 4; ++i) to[i] += sent[4 * static_cast<long>(k) + i];
        }
    }
}

void CholeskyFactor::climb(const TopLevel& level, RowRange pieces, float* rows, float* scratch) const {
    int assembled = -1;
    for (int k = pieces.first; k < pieces.last; ++k) {
        const Piece& piece = level.up[k];
        const TopNode& node = top[piece.node];
        const int columns = node.panel.columns;
        if (piece.node != assembled) assemble(node, 0, columns, rows, scratch);
        assembled = piece.node;
        float* buffer = row_at(rows, node.buffer);
        assemble(node, columns + piece.first, columns + piece.last, rows, row_at(buffer, piece.first));
        kernels->forward_piece(node.panel, values.data() + node.panel.values, scratch, piece.first, piece.last,
                               counting.data(), buffer);
    }
}

void CholeskyFactor::descend(const TopLevel& level, RowRange pieces, float* rows, float* scratch) const {
    int assembled = -1;
    float* front = scratch;                               // tallest × 4
    float* v = scratch + 4 * static_cast<long>(tallest);  // tallest × 3
    for (int k = pieces.first; k < pieces.last; ++k) {
        const Piece& piece = level.down[k];
        const TopNode& node = top[piece.node];
        const Panel& panel = node.panel;
        if (piece.node != assembled) {
            for (int i = 0; i < panel.below; ++i)
                std::memcpy(row_at(front, i), row_at(rows, node.below[i]), 4 * sizeof(float));
            assemble(node, 0, panel.columns, rows, row_at(front, panel.below));
            const int used = panel.below + panel.columns;
            std::memset(row_at(front, used), 0, (panel.height - used) * 4 * sizeof(float));
            kernels->gather(counting.data(), panel.height, front, v);
        }
        assembled = piece.node;
        kernels->backward_piece(panel, values.data() + panel.values, v, piece.first, piece.last,
                                row_at(rows, panel.first));
    }
}

}  // namespace tulle::numerics
