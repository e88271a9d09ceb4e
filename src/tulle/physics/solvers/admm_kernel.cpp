// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/admm_kernel.h"

#include "tulle/core/parallel.h"
#include "tulle/numerics/sparse_cholesky_kernel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace tulle::physics {

namespace {

constexpr int worth_threads = 150;  // vertices below which a second thread costs more than it brings

SpringEnds ends_of(const AdmmSystem& system, const std::vector<int>& order, const std::vector<int>& pins) {
    SpringEnds ends{system.edges, std::vector<bool>(system.edges.rows()), std::vector<int>(system.pinned.size())};
    for (size_t place = 0; place < order.size(); ++place) ends.places[order[place]] = static_cast<int>(place);
    for (size_t pin = 0; pin < pins.size(); ++pin) ends.places[pins[pin]] = -1 - static_cast<int>(pin);
    for (long s = 0; s < system.edges.rows(); ++s)
        ends.skip[s] =
            system.stiffness(s) == 0 || (system.pinned[system.edges(s, 0)] && system.pinned[system.edges(s, 1)]);
    return ends;
}

bool same(const VectorX& a, const VectorX& b) {
    if (a.size() != b.size() || a.size() == 0) return false;
    return std::memcmp(a.data(), b.data(), sizeof(double) * a.size()) == 0;
}

}  // namespace

// One call of minimise, shared by all threads.
struct AdmmKernel::Job {
    const Positions& inertial;
    AdmmIterations iterations;
    Positions& positions;
    const Positions& guess;                    // the first x
    VectorX* tensions;                         // |E| [N] or null
    Vector3 origin{};                          // [m] single-precision positions are relative to it
    std::vector<double> changes{}, motions{};  // squared, by item; summed in order
    bool new_rest_lengths = false;
    AdmmReport report{};

    double residual() const {
        double change = 0, motion = 0;
        for (const double square : changes) change += square;
        for (const double square : motions) motion += square;
        return motion > 0 ? std::sqrt(change / motion) : 0;
    }
};

AdmmKernel::AdmmKernel(const AdmmSystem& system, AdmmInstructions instructions)
    : kernel_(instructions == AdmmInstructions::Fastest ? spring_kernel() : portable_spring_kernel) {
    std::vector<int> free_number(system.pinned.size(), -1), free;
    for (int v = 0; v < static_cast<int>(system.pinned.size()); ++v) {
        if (!system.pinned[v]) free_number[v] = static_cast<int>(free.size());
        (system.pinned[v] ? pins_ : free).push_back(v);
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (int column = 0; column < system.matrix.outerSize(); ++column)
        for (numerics::SparseMatrix::InnerIterator entry(system.matrix, column); entry; ++entry)
            if (free_number[entry.row()] >= 0 && free_number[column] >= 0)
                entries.emplace_back(free_number[entry.row()], free_number[column], entry.value());
    numerics::SparseMatrix matrix(static_cast<long>(free.size()), static_cast<long>(free.size()));
    matrix.setFromTriplets(entries.begin(), entries.end());
    cholesky_ = instructions == AdmmInstructions::Fastest
                    ? std::make_unique<numerics::SparseCholesky>(matrix)
                    : std::make_unique<numerics::SparseCholesky>(matrix, numerics::portable_panel_kernels);
    for (const int number : cholesky_->order()) order_.push_back(free[number]);
    split(system);
    load_springs(system);
    prepare_workspaces();
}

// Masses and couplings to pins, by place.
void AdmmKernel::split(const AdmmSystem& system) {
    std::vector<int> pin_number(system.pinned.size(), -1);
    for (size_t pin = 0; pin < pins_.size(); ++pin) pin_number[pins_[pin]] = static_cast<int>(pin);
    first_coupling_.push_back(0);
    for (const int vertex : order_) {
        masses_.push_back(system.masses(vertex));
        // The matrix is symmetric: its column is its row.
        for (numerics::SparseMatrix::InnerIterator entry(system.matrix, vertex); entry; ++entry)
            if (pin_number[entry.row()] >= 0) couplings_.emplace_back(pins_[pin_number[entry.row()]], entry.value());
        first_coupling_.push_back(static_cast<int>(couplings_.size()));
    }
    constant_ = numerics::AlignedFloats(4 * order_.size());
}

void AdmmKernel::load_springs(const AdmmSystem& system) {
    layout_ = lay_out_springs(*cholesky_, ends_of(system, order_, pins_));
    const size_t lanes = layout_.springs.size();
    rest_ = numerics::AlignedFloats(lanes);
    stiffness_ = numerics::AlignedFloats(lanes);
    multipliers_ = numerics::AlignedFloats(4 * lanes);
    weights_ = system.weights;
    if (weights_.size() > 0) {
        shares_ = numerics::AlignedFloats(lanes);
        pulls_ = numerics::AlignedFloats(lanes);
    }
    for (size_t lane = 0; lane < lanes; ++lane) {
        const int spring = layout_.springs[lane];
        if (spring < 0) continue;
        const double k = system.stiffness(spring), w2 = weights_.size() > 0 ? weights_(spring) : k;
        stiffness_.data()[lane] = static_cast<float>(system.dt * system.dt * w2);
        if (weights_.size() > 0) shares_.data()[lane] = static_cast<float>(k / (k + w2));
    }
}

void AdmmKernel::prepare_workspaces() {
    if (thread_count() <= workspace_threads_) return;
    workspace_threads_ = thread_count();
    workspaces_.clear();
    for (int side = 0; side < 2; ++side)
        workspaces_.push_back(cholesky_->make_workspace(own_rows(*cholesky_, static_cast<int>(pins_.size()))));
}

numerics::RowRange AdmmKernel::rows_of(int item) const {
    return item == top() ? cholesky_->top_rows() : cholesky_->task(item).rows;
}

AdmmReport AdmmKernel::minimise(const Positions& inertial, const VectorX& rest_lengths,
                                const AdmmIterations& iterations, Positions& positions) {
    Job job{inertial, iterations, positions, inertial, nullptr};
    return run(job, rest_lengths);
}

AdmmReport AdmmKernel::minimise(const Positions& inertial, const VectorX& rest_lengths,
                                const AdmmIterations& iterations, Positions& positions, const WarmStart& start) {
    assert(weights_.size() > 0 && start.tensions.size() == weights_.size());
    Job job{inertial, iterations, positions, start.guess, &start.tensions};
    return run(job, rest_lengths);
}

AdmmReport AdmmKernel::run(Job& job, const VectorX& rest_lengths) {
    const Positions& inertial = job.inertial;
    assert(inertial.rows() == job.positions.rows() && inertial.rows() > 0 && job.iterations.most >= 1);
    prepare_workspaces();
    job.new_rest_lengths = !same(rest_lengths, rest_lengths_);
    if (job.new_rest_lengths) rest_lengths_ = rest_lengths;
    job.origin = inertial.colwise().mean();
    job.changes.resize(layout_.items.size());
    job.motions.resize(layout_.items.size());
    for (int side = 0; side < 2; ++side)
        for (size_t pin = 0; pin < pins_.size(); ++pin)
            for (int axis = 0; axis < 3; ++axis)
                row(side, cholesky_->first_own_row() + static_cast<int>(pin))[axis] =
                    static_cast<float>(inertial(pins_[pin], axis) - job.origin(axis));
    const bool alone = cholesky_->size() < worth_threads;
    const int threads = alone ? 1 : std::max(1, std::min(thread_count(), cholesky_->task_count()));
#pragma omp parallel num_threads(threads)
    iterate(job);
    for (const int pin : pins_) job.positions.row(pin) = inertial.row(pin);
    job.report.residual = job.residual();
    return job.report;
}

void AdmmKernel::iterate(Job& job) {
    const numerics::CholeskyShare& share = cholesky_->my_share(workspaces_[0]);
    const auto each_item = [&](const auto& work) {
        for (const int task : share.tasks) work(task);
        if (share.top) work(top());
    };
    each_item([&](int item) { start(item, job); });
    const bool measured = job.iterations.tolerance > 0;
    const auto [done, side] = measured ? iterate_to_tolerance(share, job) : iterate_fused(share, job);
    each_item([&, side = side](int item) { finish(item, side, job); });
    if (share.top) job.report.iterations = done;
}

// Between the two barriers of the top every task goes down, through its springs, and up again.
AdmmKernel::Outcome AdmmKernel::iterate_fused(const numerics::CholeskyShare& share, Job& job) {
    int side = 1;
    for (int iteration = 1; iteration < job.iterations.most; ++iteration, side = 1 - side) {
        cholesky_->solve_top(workspaces_[side]);
        for (const int task : share.tasks) {
            cholesky_->backward(task, workspaces_[side]);
            project_locally(task, side, false);
        }
        if (share.top) project_locally(top(), side, false);
    }
    cholesky_->solve_top(workspaces_[side]);
    for (const int task : share.tasks) cholesky_->backward(task, workspaces_[side]);
    return {job.iterations.most, side};
}

// The same with a look at the residual after each solve.
AdmmKernel::Outcome AdmmKernel::iterate_to_tolerance(const numerics::CholeskyShare& share, Job& job) {
    int side = 1;
    for (int iteration = 1;; ++iteration, side = 1 - side) {
        numerics::CholeskyWorkspace& workspace = workspaces_[side];
        cholesky_->solve_top(workspace);
        for (const int task : share.tasks) {
            cholesky_->backward(task, workspace);
            measure(task, side, job);
        }
        if (share.top) measure(top(), side, job);
        workspace.barrier().wait();
        if (iteration == job.iterations.most || job.residual() <= job.iterations.tolerance) return {iteration, side};
        for (const int task : share.tasks) project_locally(task, side, false);
        if (share.top) project_locally(top(), side, false);
    }
}

// The first x on side 0, then the first springs.
void AdmmKernel::start(int item, const Job& job) {
    const auto load = [&](int place, float* to) {
        const double* from = job.guess.data() + 3L * order_[place];
        for (int axis = 0; axis < 3; ++axis) to[axis] = static_cast<float>(from[axis] - job.origin(axis));
    };
    const numerics::RowRange rows = rows_of(item);
    for (int place = rows.first; place < rows.last; ++place) {
        load(place, row(0, place));
        Vector3 constant = masses_[place] * (job.inertial.row(order_[place]).transpose() - job.origin);
        for (int k = first_coupling_[place]; k < first_coupling_[place + 1]; ++k)
            constant -= couplings_[k].second * (job.inertial.row(couplings_[k].first).transpose() - job.origin);
        for (int axis = 0; axis < 3; ++axis) constant_.data()[4L * place + axis] = static_cast<float>(constant(axis));
    }
    if (item != top()) {
        const numerics::CholeskyTaskView task = cholesky_->task(item);
        for (size_t k = 0; k < task.boundary.size(); ++k)
            load(task.boundary[k], row(0, task.boundary_row + static_cast<int>(k)));
    }
    if (job.new_rest_lengths) load_rest_lengths(layout_.items[item]);
    if (weights_.size() > 0) load_tensions(layout_.items[item], job.tensions);
    project_locally(item, 0, true);
}

void AdmmKernel::load_rest_lengths(const SpringItem& item) {
    for (long lane = 8 * item.first_group; lane < 8 * item.last_group; ++lane)
        if (layout_.springs[lane] >= 0) rest_.data()[lane] = static_cast<float>(rest_lengths_(layout_.springs[lane]));
}

// u is tension/w² along the spring.
void AdmmKernel::load_tensions(const SpringItem& item, const VectorX* tensions) {
    for (long lane = 8 * item.first_group; lane < 8 * item.last_group; ++lane) {
        const int spring = layout_.springs[lane];
        const bool has_tension = tensions && spring >= 0;
        pulls_.data()[lane] = has_tension ? static_cast<float>((*tensions)(spring) / weights_(spring)) : 0;
    }
}

void AdmmKernel::store_tensions(const SpringItem& item, VectorX& tensions) const {
    for (long lane = 8 * item.first_group; lane < 8 * item.last_group; ++lane)
        if (const int spring = layout_.springs[lane]; spring >= 0)
            tensions(spring) = weights_(spring) * pulls_.data()[lane];
}

// The right-hand side on the other side: M x̃ − A_fp x_p + Δt² Σ w² Dᵀ(z − u), and the forward sweep over it.
void AdmmKernel::project_locally(int item, int from, bool first) {
    const int to = 1 - from;
    const numerics::RowRange rows = rows_of(item);
    const int target = item == top() ? cholesky_->top_right_hand_side_row() : rows.first;
    std::memcpy(row(to, target), constant_.data() + 4L * rows.first, 4 * sizeof(float) * rows.count());
    if (item != top()) cholesky_->clear_boundary(item, workspaces_[to]);
    const SpringItem& springs = layout_.items[item];
    const long lane = 8 * springs.first_group;
    const bool weighted = weights_.size() > 0;
    kernel_(layout_.blocks.data() + springs.first_block, layout_.blocks.data() + springs.last_block,
            {layout_.read.data() + lane, layout_.write.data() + lane, rest_.data() + lane, stiffness_.data() + lane,
             multipliers_.data() + 4 * lane, weighted ? shares_.data() + lane : nullptr,
             weighted ? pulls_.data() + lane : nullptr},
            row(from, 0), row(to, 0), first);
    if (item != top()) cholesky_->forward(item, workspaces_[to]);
}

void AdmmKernel::measure(int item, int side, Job& job) {
    double change = 0, motion = 0;
    const numerics::RowRange rows = rows_of(item);
    const float *now = row(side, rows.first), *before = row(1 - side, rows.first);
    for (int place = rows.first; place < rows.last; ++place, now += 4, before += 4) {
        const double* start = job.positions.data() + 3L * order_[place];
        for (int axis = 0; axis < 3; ++axis) {
            const double step = static_cast<double>(now[axis]) - before[axis];
            const double total = now[axis] + job.origin(axis) - start[axis];
            change += step * step;
            motion += total * total;
        }
    }
    job.changes[item] = change;
    job.motions[item] = motion;
}

void AdmmKernel::finish(int item, int side, Job& job) {
    measure(item, side, job);
    const numerics::RowRange rows = rows_of(item);
    const float* now = row(side, rows.first);
    for (int place = rows.first; place < rows.last; ++place, now += 4)
        for (int axis = 0; axis < 3; ++axis)
            job.positions.data()[3L * order_[place] + axis] = now[axis] + job.origin(axis);
    if (job.tensions) store_tensions(layout_.items[item], *job.tensions);
}

}  // namespace tulle::physics
