// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/identify.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/core/random.h"
#include "tulle/io/cache_reader.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/solvers.h"
#include "tulle/workflows/require_other_file.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tulle::workflows {

namespace {

using methods::KnownCloth;
using methods::MotionRecording;

double spacing_of(const io::CacheHeader& header) {
    const Positions& rest = header.mesh.positions;
    return std::min((rest.row(1) - rest.row(0)).norm(), (rest.row(header.grid.columns) - rest.row(0)).norm());
}

// Independent normal numbers by Box and Muller, each frame from a seed of its own.
void add_noise(Positions& positions, double deviation, std::uint64_t seed) {
    Random random(seed);
    for (double& value : positions.reshaped<Eigen::RowMajor>()) {
        const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
        value += deviation * radius * std::cos(2 * std::numbers::pi * random.uniform());
    }
}

MotionRecording read_recording(const io::CacheReader& cache, const IdentifySettings& settings) {
    const VectorX& times = cache.times();
    const long first = settings.first_frame, end = std::min(first + settings.frames + 1, cache.frame_count());
    if (end - first < 2)
        throw Error("'{}' has {} frames; none are left from frame {} on", cache.path().string(), cache.frame_count(),
                    first);
    MotionRecording recording{{}, times(first), (times(end - 1) - times(first)) / static_cast<double>(end - first - 1)};
    for (long f = first; f < end; ++f) {
        if (std::abs(times(f) - recording.time(f - first)) > 1e-3 * recording.frame_time)
            throw Error("'{}': frame {} is not as far in time from the one before as the others are",
                        cache.path().string(), f);
        recording.frames.push_back(cache.positions(f));
        if (settings.noise > 0)
            add_noise(recording.frames.back(), settings.noise * spacing_of(cache.header()),
                      mix(settings.seed) + static_cast<std::uint64_t>(f));
    }
    return recording;
}

std::optional<scene::Scene> read_scene(const io::CacheReader& cache, const IdentifySettings& settings) {
    if (!settings.scene.empty()) return scene::load_scene(settings.scene);
    if (cache.header().scene.empty()) return std::nullopt;
    try {
        return scene::parse_scene(cache.header().scene, cache.path().string(), cache.path().parent_path());
    } catch (const Error& error) {
        throw Error("'{}' holds a scene that cannot be used: {}; give it with --scene", cache.path().string(),
                    error.what());
    }
}

KnownCloth cloth_of_scene(const scene::Scene& scene, const std::string& method_text, const io::CacheReader& cache) {
    KnownCloth cloth{.model = scene::make_model(scene), .world = scene::make_world(scene)};
    if (cloth.model.grid != cache.header().grid)
        throw Error("'{}' does not have the grid of its scene '{}'", cache.path().string(), scene.source);
    if (const auto* springs = std::get_if<physics::GridMaterial>(&scene.cloth.material))
        cloth.stiffness_per_length = springs->stiffness_per_length;
    const auto names = scene::solver_names();
    const std::string name = method_text.substr(0, method_text.find(':'));
    if (std::find(names.begin(), names.end(), name) == names.end()) return cloth;
    const scene::Method method = scene::parse_method(method_text);
    cloth.solver = scene::solver_settings(scene, method);
    cloth.steps_per_frame = scene::steps_per_frame(scene, cloth.model, method);
    return cloth;
}

// What does not leave its place is pinned there.
std::vector<int> still_vertices(const MotionRecording& recording, double noise) {
    std::vector<int> still;
    const Positions& first = recording.frames.front();
    for (long v = 0; v < first.rows(); ++v) {
        double largest = 0;
        for (const Positions& frame : recording.frames)
            largest = std::max(largest, (frame.row(v) - first.row(v)).norm());
        if (largest <= 10 * noise) still.push_back(static_cast<int>(v));
    }
    return still;
}

KnownCloth cloth_of_mesh(const io::CacheHeader& header, const MotionRecording& recording) {
    KnownCloth cloth;
    cloth.model.mesh = header.mesh;
    cloth.model.grid = header.grid;
    cloth.model.masses = VectorX::Ones(header.mesh.vertex_count());
    cloth.model.hinges.vertices.resize(0, 4);
    cloth.stiffness_per_length = true;
    std::vector<int> all(static_cast<size_t>(header.mesh.vertex_count()));
    for (size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    Positions mean = Positions::Zero(header.mesh.vertex_count(), 3);
    for (const Positions& frame : recording.frames) mean += frame / static_cast<double>(recording.count());
    cloth.model.start_positions = mean;
    std::vector<int> still = still_vertices(recording, methods::position_noise(recording, all));
    if (!still.empty()) cloth.model.pins.push_back({std::move(still), {}});
    return cloth;
}

std::string solver_name(const physics::SolverSettings& settings) { return physics::method_name(settings); }

}  // namespace

IdentifyReport identify(const IdentifySettings& settings) {
    if (!settings.output.empty()) {
        require_other_file(settings.source, settings.output, "the scene that it shows");
        require_other_file(settings.scene, settings.output, "what was found");
        prepare_target(settings.output, identified_format);
    }
    const io::CacheReader cache(settings.source);
    if (cache.header().grid.rows == 0)
        throw Error("'{}' is not a grid of rows and columns; only the springs of a grid can be identified",
                    settings.source.string());
    const MotionRecording recording = read_recording(cache, settings);
    const std::optional<scene::Scene> scene = read_scene(cache, settings);
    const std::string method = settings.method.empty() ? cache.header().method : settings.method;
    const KnownCloth cloth = scene ? cloth_of_scene(*scene, method, cache) : cloth_of_mesh(cache.header(), recording);
    methods::IdentificationSettings how{.law = settings.law, .start = {}, .on_progress = settings.on_progress};
    if (settings.start_of_scene) {
        if (!scene || settings.first_frame != 0)
            throw Error("only a recording from its first frame on, with a scene, begins at the scene's start");
        how.start = scene::initial_state(*scene, cloth.model);
    }
    IdentifyReport report{.found = methods::identify(cloth, recording, how),
                          .method = {},
                          .spacing = spacing_of(cache.header()),
                          .masses_are_known = scene.has_value()};
    report.method = solver_name(report.found.solver);
    if (!settings.output.empty() && !report.found.stopped)
        write_file(settings.output, identified_scene(report, settings), identified_format);
    return report;
}

}  // namespace tulle::workflows
