// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/dual_ascent.h"

#include "tulle/core/parallel.h"
#include "tulle/numerics/team_barrier.h"
#include "tulle/projections/ascent_constraints.h"

#include <omp.h>

#include <algorithm>
#include <cmath>

namespace tulle::projections {

namespace {

using Doubles = numerics::AlignedArray<double>;

constexpr long vertex_block = 512, edge_block = 512;  // sums have the same bits at any number of threads
constexpr long fewest_shared = 4096;                  // vertices; fewer are left to one thread
constexpr int check_interval = 8;                     // iterations between two stopping tests

long blocks(long count, long block) { return (count + block - 1) / block; }

// Numbers that change, as rows of four.
struct Workspace {
    Doubles targets, positions, multipliers, leads, thresholds, lengths;
    std::vector<double> moved;     // of each block of vertices
    std::vector<AscentSums> sums;  // of each block of edges, and one for the planes

    Workspace(const AscentLayout& layout, const AscentProblem& problem)
        : targets(static_cast<size_t>(4 * layout.vertices)),
          positions(static_cast<size_t>(4 * layout.vertices)),
          multipliers(static_cast<size_t>(4 * layout.rows())),
          leads(static_cast<size_t>(4 * layout.rows())),
          thresholds(static_cast<size_t>(layout.padded_edges)),
          lengths(static_cast<size_t>(layout.padded_edges)),
          moved(static_cast<size_t>(blocks(layout.vertices, vertex_block))),
          sums(static_cast<size_t>(blocks(layout.padded_edges, edge_block) + 1)) {
        for (long v = 0; v < layout.vertices; ++v)
            for (int c = 0; c < 3; ++c) targets.data()[4 * v + c] = problem.targets(v, c);
        std::fill_n(lengths.data(), lengths.size(), 1.0);
        for (long e = 0; e < layout.edges; ++e) {
            thresholds.data()[e] = layout.steps.data()[e] * problem.limits(e);
            lengths.data()[e] = problem.lengths(e);
        }
        if (!problem.start) return;
        std::copy_n(problem.start->multipliers.data(), multipliers.size(), multipliers.data());
        std::copy_n(problem.start->leads.data(), leads.size(), leads.data());
    }

    AscentArrays arrays(const AscentLayout& layout) {
        return {.targets = targets.data(),
                .mobility = layout.mobility.data(),
                .positions = positions.data(),
                .first_pulls = layout.first_pulls.data(),
                .first_minuses = layout.first_minuses.data(),
                .pulls = layout.pulls.data(),
                .ends = layout.ends.data(),
                .steps = layout.steps.data(),
                .inverse_steps = layout.inverse_steps.data(),
                .thresholds = thresholds.data(),
                .multipliers = multipliers.data(),
                .leads = leads.data()};
    }
};

// Every thread has one of its own and comes to the same conclusions.
class Progress {
public:
    Progress(const AscentSettings& settings, double momentum) : settings_(settings), t_(momentum) {}

    double momentum() const { return (t_ - 1) / next(); }
    bool checks() const { return iteration_ % check_interval == 0 || iteration_ >= settings_.max_iterations; }
    bool ended() const { return ended_; }

    void take(const std::vector<double>& moved, const std::vector<AscentSums>& sums) {
        AscentSums total;
        double objective = 0;
        for (const double part : moved) objective += part;
        for (const AscentSums& part : sums) {
            total.turning += part.turning;
            total.slackness += part.slackness;
            total.weight += part.weight;
            total.violation = std::max(total.violation, part.violation);
        }
        if (checks()) judge(objective, total);
        t_ = total.turning > 0 ? 1 : next();
        if (!ended_) ++iteration_;
    }
    void report_to(AscentSolution& solution) const {
        solution.iterations = iteration_;
        solution.objective = objective_;
        solution.gap = gap_;
        solution.violation = violation_;
        solution.converged = converged_;
        solution.state.momentum = t_;
    }

private:
    double next() const { return (1 + std::sqrt(1 + 4 * t_ * t_)) / 2; }

    void judge(double objective, const AscentSums& total) {
        constexpr double rounding = 1e-15;
        objective_ = objective;
        violation_ = total.violation;
        const double gap = std::max(0.0, std::abs(total.slackness) - rounding * total.weight);
        gap_ = gap > 0 ? gap / objective : 0;
        const bool is_number = std::isfinite(objective) && std::isfinite(total.slackness);
        converged_ = is_number && gap_ <= settings_.gap && violation_ <= settings_.violation;
        ended_ = converged_ || !is_number || iteration_ >= settings_.max_iterations;
    }

    const AscentSettings& settings_;
    double t_, objective_ = 0, gap_ = 0, violation_ = 0;
    int iteration_ = 0;
    bool converged_ = false, ended_ = false;
};

// Blocks [begin, end) of this thread.
std::pair<long, long> own_share(long count) {
    const long threads = omp_get_num_threads(), thread = omp_get_thread_num();
    return {count * thread / threads, count * (thread + 1) / threads};
}

}  // namespace

AscentSolution ascend_dual(const AscentLayout& layout, const AscentProblem& problem, const AscentSettings& settings,
                           const AscentKernels& kernels) {
    Workspace work(layout, problem);
    const AscentArrays arrays = work.arrays(layout);
    // Two barriers an iteration, every 20 µs for a garment: a machine that has other things to do would wait for ages.
    const bool alone = layout.vertices < fewest_shared;
    numerics::TeamBarrier barrier;
    AscentSolution solution;
    const auto run = [&] {
        Progress progress(settings, problem.start ? problem.start->momentum : 1);
        const auto [first_vertices, last_vertices] = own_share(static_cast<long>(work.moved.size()));
        const auto [first_edges, last_edges] = own_share(static_cast<long>(work.sums.size()) - 1);
        while (!progress.ended()) {
            for (long b = first_vertices; b < last_vertices; ++b)
                work.moved[static_cast<size_t>(b)] =
                    kernels.move(arrays, b * vertex_block, std::min(layout.vertices, (b + 1) * vertex_block));
            barrier.wait();
            const double momentum = progress.momentum();
            const double* lengths = progress.checks() ? work.lengths.data() : nullptr;
            for (long b = first_edges; b < last_edges; ++b) {
                const long begin = b * edge_block, end = std::min(layout.padded_edges, (b + 1) * edge_block);
                work.sums[static_cast<size_t>(b)] = problem.lower
                                                        ? ascend_between(arrays, begin, std::min(end, layout.edges),
                                                                         momentum, *problem.lower, work.lengths.data())
                                                        : kernels.ascend(arrays, begin, end, momentum, lengths);
            }
            if (omp_get_thread_num() == 0 && !problem.planes.empty())
                work.sums.back() =
                    ascend_planes(arrays, layout.padded_edges, problem.planes, momentum, problem.plane_length);
            barrier.wait();
            progress.take(work.moved, work.sums);
        }
        if (omp_get_thread_num() == 0) progress.report_to(solution);
    };
#pragma omp parallel num_threads(alone ? 1 : thread_count())
    run();
    solution.positions = Eigen::Map<const Rows<double, 4>>(work.positions.data(), layout.vertices, 4).leftCols<3>();
    solution.state.multipliers = Eigen::Map<const Multipliers>(work.multipliers.data(), layout.rows(), 4);
    solution.state.leads = Eigen::Map<const Multipliers>(work.leads.data(), layout.rows(), 4);
    return solution;
}

}  // namespace tulle::projections
