// SPDX-License-Identifier: Apache-2.0
#include "tulle/numerics/sparse_cholesky_factor.h"

#include "tulle/numerics/sparse_cholesky_ordering.h"
#include "tulle/numerics/sparse_cholesky_sweep.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tulle::numerics {

namespace {

// The matrix in elimination order, the lower half by columns.
struct LowerColumns {
    std::vector<long> first;  // n + 1
    std::vector<int> rows;
    std::vector<double> values;
};

LowerColumns lower_columns(const SparseMatrix& matrix, const std::vector<int>& order) {
    const std::vector<int> place = inverse_of(order);
    LowerColumns lower;
    lower.first.assign(order.size() + 1, 0);
    const auto each = [&](const auto& use) {
        for (int column = 0; column < matrix.outerSize(); ++column)
            for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry) {
                if (entry.row() < column) continue;
                const auto [a, b] = std::minmax(place[column], place[entry.row()]);
                use(a, b, entry.value());
            }
    };
    each([&](int column, int, double) { ++lower.first[column + 1]; });
    std::partial_sum(lower.first.begin(), lower.first.end(), lower.first.begin());
    lower.rows.resize(lower.first.back());
    lower.values.resize(lower.first.back());
    std::vector<long> next(lower.first.begin(), lower.first.end() - 1);
    each([&](int column, int row, double value) {
        lower.rows[next[column]] = row;
        lower.values[next[column]++] = value;
    });
    return lower;
}

// The first pivot of a symmetric matrix that is not positive.
int failing_pivot(Eigen::MatrixXd a) {
    for (Eigen::Index k = 0; k < a.rows(); ++k) {
        if (!(a(k, k) > 0)) return static_cast<int>(k);
        const Eigen::Index rest = a.rows() - k - 1;
        const Eigen::VectorXd column = a.col(k).tail(rest) / std::sqrt(a(k, k));
        a.bottomRightCorner(rest, rest) -= column * column.transpose();
    }
    return static_cast<int>(a.rows()) - 1;  // only rounding was in the way
}

class Elimination {
public:
    Elimination(const FactorPlan& plan, const SparseMatrix& matrix)
        : plan_(plan), lower_(lower_columns(matrix, plan.order)), updates_(plan.nodes.size()) {}

    void eliminate(int s, const Panel& panel, float* values) {
        const PlanNode& node = plan_.nodes[s];
        Eigen::MatrixXd front = assemble(node);
        const Eigen::Index nc = node.columns, nr = static_cast<Eigen::Index>(node.below.size());
        const Eigen::LLT<Eigen::MatrixXd> cholesky(front.topLeftCorner(nc, nc));
        if (cholesky.info() != Eigen::Success || !cholesky.matrixLLT().diagonal().allFinite())
            throw_not_positive_definite(plan_, node.first + failing_pivot(front.topLeftCorner(nc, nc)));
        Eigen::Map<Eigen::MatrixXf, 0, Eigen::OuterStride<>> out(values, panel.height, nc,
                                                                 Eigen::OuterStride<>(panel.height));
        const Eigen::MatrixXd inverse = cholesky.solve(Eigen::MatrixXd::Identity(nc, nc));
        out.middleRows(nr, nc) = inverse.cast<float>();
        if (nr == 0) return;
        auto below = front.bottomLeftCorner(nr, nc);
        cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(below);  // L₂₁
        updates_[s] = front.bottomRightCorner(nr, nr);
        updates_[s].selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
        cholesky.matrixL().solveInPlace<Eigen::OnTheRight>(below);
        out.topRows(nr) = (-below).cast<float>();
    }

private:
    // Entries of the matrix plus what the children leave, lower half.
    Eigen::MatrixXd assemble(const PlanNode& node) {
        const int size = node.columns + static_cast<int>(node.below.size());
        Eigen::MatrixXd front = Eigen::MatrixXd::Zero(size, size);
        for (int k = 0; k < node.columns; ++k)
            for (long e = lower_.first[node.first + k]; e < lower_.first[node.first + k + 1]; ++e)
                front(place_in_front(node, lower_.rows[e]), k) += lower_.values[e];
        for (const int child : node.children) {
            const std::vector<int> places = places_in_front(node, plan_.nodes[child].below);
            const Eigen::MatrixXd update = std::exchange(updates_[child], {});
            for (size_t j = 0; j < places.size(); ++j) {
                double* column = front.col(places[j]).data();
                for (size_t i = j; i < places.size(); ++i) column[places[i]] += update(i, j);
            }
        }
        return front;
    }

    const FactorPlan& plan_;
    LowerColumns lower_;
    std::vector<Eigen::MatrixXd> updates_;  // per node, until its parent takes it
};

}  // namespace

std::vector<Panel> lay_out_panels(const FactorPlan& plan) {
    std::vector<Panel> panels;
    long values = 0;
    for (const PlanNode& node : plan.nodes) {
        const int below = static_cast<int>(node.below.size());
        const int height = (below + node.columns + 7) / 8 * 8;
        panels.push_back({values, 0, node.first, node.columns, below, height});
        values += (static_cast<long>(height) * node.columns + 15) / 16 * 16;
    }
    return panels;
}

void factorise(const FactorPlan& plan, const SparseMatrix& matrix, float* values) {
    check_entries(plan, matrix);
    const std::vector<Panel> panels = lay_out_panels(plan);
    Elimination elimination(plan, matrix);
    sweep_up(plan, [&](int s) { elimination.eliminate(s, panels[s], values + panels[s].values); });
}

}  // namespace tulle::numerics
