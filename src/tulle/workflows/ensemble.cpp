// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/ensemble.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/scene/build.h"
#include "tulle/workflows/evaluation_report.h"
#include "tulle/workflows/moved_start.h"

#include <algorithm>
#include <array>

namespace tulle::workflows {

namespace {

using Curves = std::vector<std::vector<double>>;  // one of each seed

std::vector<double> mean_curve(const Curves& curves) {
    std::vector<double> mean(curves.empty() ? 0 : curves.front().size(), 0.0);
    for (const std::vector<double>& curve : curves)
        for (size_t frame = 0; frame < mean.size(); ++frame)
            mean[frame] += curve[frame] / static_cast<double>(curves.size());
    return mean;
}

double mean_of(const std::vector<double>& curve) {
    double sum = 0;
    for (const double value : curve) sum += value;
    return sum / static_cast<double>(curve.size());
}

// The frames before the first that is more than twice as far from the full run as the floor.
long frames_within(const std::vector<double>& curve, const std::vector<double>& floor) {
    size_t frame = 0;
    while (frame < curve.size() && curve[frame] <= 2 * floor[frame]) ++frame;
    return static_cast<long>(frame);
}

// One method, seed after seed.
class Gathering {
public:
    void add(const MethodFigures& member) {
        result_.name = member.name;
        if (!member.to_full) {
            ++result_.diverged;
            return;
        }
        const std::vector<NamedFigure> figures = figures_of(member);
        values_.resize(figures.size());
        for (size_t i = 0; i < figures.size(); ++i) {
            values_[i].name = figures[i].name;
            if (figures[i].value) values_[i].values.push_back(*figures[i].value);
        }
        result_.shapes.add(member.shapes);
        curves_.push_back(member.curve_to_full);
    }

    EnsembleMethod finish(const std::vector<double>& floor, double frame_time) {
        for (const Values& figure : values_) {
            result_.figures.push_back({.name = figure.name, .value = {}});
            if (!figure.values.empty()) result_.figures.back().value = evaluation::interval_of(figure.values);
        }
        result_.curve_to_full = mean_curve(curves_);
        std::vector<double> seconds;
        for (const std::vector<double>& curve : curves_) {
            const long within = frames_within(curve, floor);
            seconds.push_back(static_cast<double>(within) * frame_time);
            if (within == static_cast<long>(curve.size())) ++result_.within_floor;
        }
        if (!seconds.empty()) result_.horizon = evaluation::interval_of(seconds);
        return result_;
    }

private:
    struct Values {
        std::string name;
        std::vector<double> values;  // of the seeds that have one
    };
    EnsembleMethod result_;
    std::vector<Values> values_;
    Curves curves_;
};

class Ensemble {
public:
    Ensemble(const scene::Scene& scene, const EnsembleSettings& settings)
        : scene_(scene), settings_(settings), model_(scene::make_model(scene)) {
        if (settings.seeds < fewest_seeds) throw Error("an ensemble has at least {} seeds", fewest_seeds);
        gatherings_.resize(settings.methods.size());
    }

    EnsembleReport run() {
        for (int seed = 0; seed < settings_.seeds && !report_.stopped; ++seed) run_seed(seed);
        if (!report_.stopped) finish();
        return std::move(report_);
    }

private:
    Positions start_of(int seed) const {
        return moved_start(model_, start_move, mix(scene_.seed) + static_cast<std::uint64_t>(seed));
    }

    // The floor is the distance to the full run of the next seed, which is as good a run as any.
    void run_seed(int seed) {
        scene::Scene moved = scene_;
        moved.cloth.start = start_of(seed);
        EvaluateSettings run{.methods = settings_.methods,
                             .truth = settings_.truth,
                             .frames = settings_.frames,
                             .converged = false,
                             .folder = {},
                             .report = {},
                             .floor_start = start_of((seed + 1) % settings_.seeds)};
        run.on_frame = [&](const EvaluateProgress& progress) {
            const long before = seed * progress.total;
            return !settings_.on_frame ||
                   settings_.on_frame({fmt::format("seed {} of {}, {}", seed + 1, settings_.seeds, progress.method),
                                       before + progress.done, settings_.seeds * progress.total});
        };
        const EvaluateReport member = evaluate(moved, run);
        report_.stopped = member.stopped;
        if (!member.stopped) add(member, seed);
    }

    void add(const EvaluateReport& member, int seed) {
        report_.scene = member.scene;
        report_.particles = member.particles;
        report_.frames = member.frames;
        report_.threads = member.threads;
        report_.frame_time = member.frame_time;
        report_.seeds = settings_.seeds;
        report_.cpu_share = std::min(report_.cpu_share, member.cpu_share);
        floors_.push_back(member.chaos_curve);
        full_.add(member.full);
        halves_[static_cast<size_t>(seed % 2)].add(member.full.shapes);
        for (size_t i = 0; i < gatherings_.size(); ++i) gatherings_[i].add(member.methods[i]);
    }

    void finish() {
        std::vector<double> floors;
        for (const std::vector<double>& curve : floors_) floors.push_back(mean_of(curve));
        report_.chaos_floor = evaluation::interval_of(floors);
        report_.chaos_curve = mean_curve(floors_);
        report_.full = full_.finish(report_.chaos_curve, report_.frame_time);
        report_.full.distances = evaluation::distances_between(halves_[0], halves_[1]);
        for (Gathering& gathering : gatherings_) {
            EnsembleMethod method = gathering.finish(report_.chaos_curve, report_.frame_time);
            if (method.shapes.strain.count() > 0)
                method.distances = evaluation::distances_between(method.shapes, report_.full.shapes);
            report_.methods.push_back(std::move(method));
        }
    }

    const scene::Scene& scene_;
    const EnsembleSettings& settings_;
    const physics::ClothModel model_;
    Gathering full_;
    std::vector<Gathering> gatherings_;                     // of the methods
    std::array<evaluation::ShapeDistributions, 2> halves_;  // of the full ensemble
    Curves floors_;
    EnsembleReport report_;
};

}  // namespace

EnsembleReport evaluate_ensemble(const scene::Scene& scene, const EnsembleSettings& settings) {
    return Ensemble(scene, settings).run();
}

}  // namespace tulle::workflows
