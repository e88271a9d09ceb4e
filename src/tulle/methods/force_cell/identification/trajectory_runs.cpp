// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/trajectory_runs.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/solvers/solver.h"

#include <limits>
#include <optional>

namespace tulle::methods {

// A cloth with its own parameters; behind a pointer, because the stepper refers to model and world.
struct TrajectoryRuns::Trial {
    physics::ClothModel model;
    physics::World world;
    std::unique_ptr<physics::Stepper> stepper;
};

struct TrajectoryRuns::Run {
    physics::ClothState state;
    Positions mean;  // of the last group
};

TrajectoryRuns::TrajectoryRuns(const KnownCloth& cloth, const MotionRecording& recording, long first, long frames,
                               const StartModes& modes)
    : cloth_(cloth), recording_(recording), modes_(modes), kinds_(spring_kinds(cloth.model)) {
    const long groups = std::min(frames, 32L);
    for (long g = 0; g < groups; ++g) {
        group_starts_.push_back(first + 1 + frames * g / groups);
        group_sizes_.push_back(static_cast<int>(frames * (g + 1) / groups - frames * g / groups));
    }
    const auto [rows, columns] = *cloth.model.grid;
    const int across = std::min(6, columns), down = std::min(6, rows);
    std::vector<std::vector<int>> blocks(static_cast<size_t>(across * down));
    const std::vector<bool> pinned = cloth.model.pinned();
    for (int v = 0; v < cloth.model.vertex_count(); ++v)
        if (!pinned[static_cast<size_t>(v)])
            blocks[static_cast<size_t>((v / columns * down / rows) * across + v % columns * across / columns)]
                .push_back(v);
    for (const std::vector<int>& block : blocks) {
        block_begin_.push_back(static_cast<long>(free_.size()));
        free_.insert(free_.end(), block.begin(), block.end());
    }
    block_begin_.push_back(static_cast<long>(free_.size()));
}

std::unique_ptr<TrajectoryRuns::Trial> TrajectoryRuns::make_trial(const ClothParameters& parameters) const {
    auto trial = std::make_unique<Trial>();
    trial->model = model_with(cloth_, kinds_, parameters);
    trial->world = world_with(cloth_, parameters);
    trial->stepper = physics::make_solver(trial->model, trial->world, cloth_.solver.value());
    return trial;
}

void TrajectoryRuns::advance(Trial& trial, Run& run, long group) const {
    const double dt = recording_.frame_time / cloth_.steps_per_frame;
    const int frames = group_sizes_[static_cast<size_t>(group)];
    run.mean = Positions::Zero(run.state.positions.rows(), 3);
    for (int f = 0; f < frames; ++f) {
        trial.stepper->advance(run.state, dt, cloth_.steps_per_frame);
        run.mean += run.state.positions;
    }
    run.mean /= frames;
}

Positions TrajectoryRuns::recorded_mean(long group) const {
    const int frames = group_sizes_[static_cast<size_t>(group)];
    Positions mean = Positions::Zero(cloth_.model.vertex_count(), 3);
    for (int f = 0; f < frames; ++f)
        mean += recording_.frames[static_cast<size_t>(group_starts_[static_cast<size_t>(group)] + f)];
    return mean / frames;
}

double TrajectoryRuns::squares(const ClothParameters& parameters, const physics::ClothState& start) const {
    // Threads that wait for each other after each step of a small cloth cost more than they give.
    constexpr int worth_threads = 4096;  // vertices
    const ThreadCountScope threads(cloth_.model.vertex_count() < worth_threads ? 1 : thread_count());
    const auto trial = make_trial(parameters);
    Run run{start, {}};
    double sum = 0;
    try {
        for (long g = 0; g < groups(); ++g) {
            advance(*trial, run, g);
            const Positions left = recorded_mean(g) - run.mean;
            for (const int v : free_) sum += group_sizes_[static_cast<size_t>(g)] * left.row(v).squaredNorm();
        }
    } catch (const physics::Divergence&) {
        return std::numeric_limits<double>::infinity();
    }
    return sum;
}

ModeResponses TrajectoryRuns::respond(const ClothParameters& parameters, const physics::ClothState& start,
                                      double positions, double velocities, const OnGroup& on_group) const {
    std::vector<Run> runs(static_cast<size_t>(modes_.count() + 1), Run{start, {}});
    const auto width = [&](int mode) { return modes_.is_velocity(mode) ? velocities : positions; };
    for (int m = 0; m < modes_.count(); ++m) modes_.add(m, width(m), runs[static_cast<size_t>(m + 1)].state);
    // A solver remembers nothing from step to step, so each thread needs only one.
    std::vector<std::unique_ptr<Trial>> trials;
    for (int t = 0; t < thread_count(); ++t) trials.push_back(make_trial(parameters));
    ModeResponses responses{{}, Eigen::MatrixXd::Zero(modes_.count(), modes_.count())};
    for (long g = 0; g < groups() && modes_.count() > 0; ++g) {
        parallel_tasks(static_cast<long>(runs.size()), [&](long i) {
            advance(*trials[static_cast<size_t>(omp_get_thread_num())], runs[static_cast<size_t>(i)], g);
        });
        Eigen::MatrixXf response(3 * static_cast<long>(free_.size()), modes_.count());
        parallel_tasks(modes_.count(), [&](long m) {
            const Positions& moved = runs[static_cast<size_t>(m + 1)].mean;
            for (size_t i = 0; i < free_.size(); ++i)
                response.col(m).segment<3>(3 * static_cast<long>(i)) =
                    ((moved.row(free_[i]) - runs.front().mean.row(free_[i])) / width(static_cast<int>(m)))
                        .transpose()
                        .cast<float>();
        });
        // column by column, whose sums do not depend on who makes them
        Eigen::MatrixXd normal(modes_.count(), modes_.count());
        parallel_tasks(modes_.count(),
                       [&](long m) { normal.col(m) = (response.transpose() * response.col(m)).cast<double>(); });
        responses.normal += group_sizes_[static_cast<size_t>(g)] * normal;
        responses.of_group.push_back(std::move(response));
        if (on_group && !on_group()) break;
    }
    return responses;
}

FitEquations TrajectoryRuns::linearise(const ClothParameters& parameters, const physics::ClothState& start,
                                       const VectorX& widths, const ModeResponses& responses,
                                       const OnGroup& on_group) const {
    std::vector<Run> runs(parameter_count + 1, Run{start, {}});
    std::vector<std::unique_ptr<Trial>> trials;
    trials.push_back(make_trial(parameters));
    for (int i = 0; i < parameter_count; ++i) {
        VectorX changed = to_vector(parameters);
        changed(i) += widths(i);
        trials.push_back(make_trial(to_parameters(changed)));
    }
    const int unknowns = parameter_count + modes_.count();
    FitEquations equations{Eigen::MatrixXd::Zero(unknowns, unknowns), VectorX::Zero(unknowns),
                           Eigen::MatrixXd::Zero(unknowns, static_cast<long>(block_begin_.size()) - 1), 0, 0};
    const Eigen::MatrixXf none(3 * static_cast<long>(free_.size()), 0);
    for (long g = 0; g < groups(); ++g) {
        parallel_tasks(static_cast<long>(runs.size()),
                       [&](long i) { advance(*trials[static_cast<size_t>(i)], runs[static_cast<size_t>(i)], g); });
        accumulate(runs, widths, modes_.count() > 0 ? responses.of_group[static_cast<size_t>(g)] : none, g, equations);
        if (on_group && !on_group()) break;
    }
    equations.matrix.bottomRightCorner(modes_.count(), modes_.count()) = responses.normal;
    return equations;
}

void TrajectoryRuns::accumulate(const std::vector<Run>& runs, const VectorX& widths, const Eigen::MatrixXf& modes,
                                long group, FitEquations& equations) const {
    const Positions left = recorded_mean(group) - runs.front().mean;
    const double weight = group_sizes_[static_cast<size_t>(group)];
    struct Part {
        Eigen::MatrixXd matrix;  // parameters × all
        VectorX right;
        double squares = 0;
    };
    std::vector<Part> parts(block_begin_.size() - 1);
    parallel_tasks(static_cast<long>(parts.size()), [&](long b) {
        const long begin = block_begin_[static_cast<size_t>(b)], end = block_begin_[static_cast<size_t>(b + 1)];
        Eigen::MatrixXd derivatives(3 * (end - begin), parameter_count + modes.cols());
        VectorX residuals(3 * (end - begin));
        for (long i = begin; i < end; ++i) {
            const int v = free_[static_cast<size_t>(i)];
            residuals.segment<3>(3 * (i - begin)) = left.row(v).transpose();
            for (int p = 0; p < parameter_count; ++p)
                derivatives.col(p).segment<3>(3 * (i - begin)) =
                    (runs[static_cast<size_t>(p + 1)].mean.row(v) - runs.front().mean.row(v)).transpose() / widths(p);
        }
        derivatives.rightCols(modes.cols()) = modes.middleRows(3 * begin, 3 * (end - begin)).cast<double>();
        Part& part = parts[static_cast<size_t>(b)];
        part.matrix = weight * (derivatives.leftCols(parameter_count).transpose() * derivatives);
        part.right = weight * (derivatives.transpose() * residuals);
        part.squares = weight * residuals.squaredNorm();
    });
    for (size_t b = 0; b < parts.size(); ++b) {
        equations.matrix.topRows(parameter_count) += parts[b].matrix;
        equations.right += parts[b].right;
        equations.scores.col(static_cast<long>(b)) += parts[b].right;
        equations.squares += parts[b].squares;
    }
    equations.matrix.bottomLeftCorner(modes.cols(), parameter_count) =
        equations.matrix.topRightCorner(parameter_count, modes.cols()).transpose();
    equations.count += 3 * free_count();
}

}  // namespace tulle::methods
