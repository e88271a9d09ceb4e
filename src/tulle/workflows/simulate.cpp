// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/simulate.h"

#include "tulle/core/error.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/io/cache_writer.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/simulation.h"
#include "tulle/workflows/record_frames.h"

#include <map>
#include <optional>
#include <vector>

namespace tulle::workflows {

namespace {

// The costs of the frames of one run.
class Costs {
public:
    void add(double milliseconds, const StageTimes& stages) {
        frames_.push_back(milliseconds);
        for (const auto& [stage, cost] : stages) stages_[stage].push_back(cost);
    }
    FrameCost frame() const { return frame_cost(frames_); }
    StageTimes median_stages() const {
        StageTimes medians;
        for (const auto& [stage, costs] : stages_) medians[stage] = median(costs);
        return medians;
    }

private:
    std::vector<double> frames_;
    std::map<std::string, std::vector<double>> stages_;
};

// What the method says of its errors.
class Bounds {
public:
    void add(const Eigen::VectorXf& bounds) {
        if (bounds.size() == 0) return;
        sum_ += static_cast<double>(bounds.mean());
        ++frames_;
    }
    std::optional<double> mean() const { return frames_ > 0 ? std::optional(sum_ / frames_) : std::nullopt; }

private:
    double sum_ = 0;
    int frames_ = 0;
};

// Where the frames go: a cache, new or continued, or nowhere.
class Recording {
public:
    Recording(scene::Simulation& simulation, const SimulateSettings& settings, const std::string& method,
              long planned) {
        if (settings.cache.empty()) return;
        io::CacheHeader header = cache_header(simulation, method);
        header.planned_frames = planned + 1;
        if (settings.resume) {
            auto [writer, checkpoint] = io::CacheWriter::resume(settings.cache, header);
            if (checkpoint) {
                frames_ = checkpoint->frame;
                simulation.resume_from({checkpoint->positions, checkpoint->velocities, checkpoint->time},
                                       checkpoint->memory);
                writer_ = std::move(writer);
                return;
            }
            writer_ = std::move(writer);
        } else {
            writer_.emplace(settings.cache, header, io::CacheWriterSettings{.overwrite = true});
        }
        writer_->append(cache_frame(simulation, 0), simulation.memory());
    }

    long frames() const { return frames_; }  // the first not counted
    void append(const scene::Simulation& simulation, double milliseconds) {
        ++frames_;
        if (writer_) writer_->append(cache_frame(simulation, milliseconds), simulation.memory());
    }
    void close(const std::string& ending) {
        if (writer_) writer_->close(ending);
    }

private:
    long frames_ = 0;
    std::optional<io::CacheWriter> writer_;
};

}  // namespace

SimulateReport simulate(const scene::Scene& scene, const SimulateSettings& settings) {
    const scene::Method method = scene::parse_method(settings.method.empty() ? scene.method : settings.method);
    const long total = settings.frames > 0 ? settings.frames : scene.time.frames;
    scene::Simulation simulation(scene, method);
    Recording recording(simulation, settings, method.to_string(), total);
    SimulateReport report{.scene = scene.name,
                          .method = method.to_string(),
                          .particles = simulation.model().vertex_count(),
                          .steps_per_frame = simulation.steps_per_frame(),
                          .threads = thread_count(),
                          .note = simulation.note(),
                          .cache = settings.cache};
    Costs costs;
    Bounds bounds;
    while (recording.frames() < total && !report.stopped) {
        const Stopwatch watch;
        physics::StepReport step;
        report.steps_per_frame = std::max(report.steps_per_frame, simulation.steps_per_frame());
        try {
            step = simulation.advance_frame();
        } catch (const physics::Divergence& divergence) {
            recording.close(fmt::format("diverged in frame {}: {}", recording.frames() + 1, divergence.what()));
            throw Error("frame {}: {}; {}", recording.frames() + 1, divergence.what(),
                        scene::family_of(method).advice(scene, method));
        }
        const double milliseconds = watch.milliseconds();
        recording.append(simulation, milliseconds);
        bounds.add(simulation.bounds());
        costs.add(milliseconds, step.stages);
        report.counters.add(step.counters);
        if (settings.on_frame) report.stopped = !settings.on_frame({recording.frames(), total});
    }
    recording.close(report.stopped && recording.frames() < total ? "stopped" : "");
    report.frames = recording.frames();
    report.cost = costs.frame();
    report.stages = costs.median_stages();
    report.error_bound = bounds.mean();
    return report;
}

}  // namespace tulle::workflows
