// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/replay.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/io/cache_writer.h"
#include "tulle/live/live_simulation.h"
#include "tulle/scene/families/families.h"
#include "tulle/workflows/record_frames.h"

#include <algorithm>
#include <optional>

namespace tulle::workflows {

namespace {

physics::StepReport advance(live::Replay& replay) {
    try {
        return replay.advance_frame();
    } catch (const physics::Divergence& divergence) {
        throw Error("frame {}: {}, as it was seen; replay fewer frames with --frames", replay.now().frame() + 1,
                    divergence.what());
    }
}

std::optional<io::CacheWriter> open_cache(const live::Replay& replay, const SimulateSettings& settings, long frames) {
    if (settings.cache.empty()) return {};
    const live::LiveSimulation& start = replay.now();
    io::CacheHeader header = cache_header(start.simulation(), start.method());
    header.planned_frames = frames + 1;
    io::CacheWriter writer(settings.cache, header, {.overwrite = true});
    writer.append(cache_frame(start.simulation(), 0), start.simulation().memory());
    return writer;
}

}  // namespace

SimulateReport replay(const live::Recording& recording, const SimulateSettings& settings) {
    live::Replay replay(recording);
    const long total = settings.frames > 0 ? settings.frames : recording.frames;
    std::optional<io::CacheWriter> writer = open_cache(replay, settings, total);
    SimulateReport report{.scene = replay.now().simulation().scene().name,
                          .method = replay.now().method(),
                          .particles = replay.now().simulation().model().vertex_count(),
                          .threads = thread_count(),
                          .note = replay.now().simulation().note(),
                          .cache = settings.cache};
    std::vector<double> costs;
    while (report.frames < total && !report.stopped) {
        const Stopwatch watch;
        const physics::StepReport step = advance(replay);
        costs.push_back(watch.milliseconds());
        ++report.frames;
        report.counters.add(step.counters);
        const scene::Simulation& simulation = replay.now().simulation();
        report.steps_per_frame = std::max(report.steps_per_frame, simulation.steps_per_frame());
        if (writer) writer->append(cache_frame(simulation, costs.back()), simulation.memory());
        if (settings.on_frame) report.stopped = !settings.on_frame({report.frames, total});
    }
    report.cost = frame_cost(costs);
    if (!writer) return report;
    writer->close(report.stopped && report.frames < total ? "stopped" : "");
    live::Recording kept = recording;
    kept.frames = report.frames;
    live::write_recording(kept, live::recording_path(settings.cache));
    return report;
}

}  // namespace tulle::workflows
