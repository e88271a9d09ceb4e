// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/demo.h"

#include "tulle/core/error.h"
#include "tulle/core/median.h"
#include "tulle/io/cache_reader.h"
#include "tulle/scene/families/solvers.h"

#include <algorithm>
#include <cmath>

namespace tulle::workflows {

namespace fs = std::filesystem;

namespace {

// A cache made by an older program may hold other results, so it is made again.
bool is_current(const fs::path& cache) {
    std::error_code failed;
    const auto program_time = fs::last_write_time(fs::read_symlink("/proc/self/exe", failed), failed);
    return !failed && fs::exists(cache) && fs::last_write_time(cache, failed) > program_time;
}

// Mean distance of particles [m] over frames [1, last].
double mean_distance(const io::CacheReader& cache, const io::CacheReader& reference, long last) {
    double sum = 0;
    for (long f = 1; f <= last; ++f)
        sum += (cache.frame(f).positions - reference.frame(f).positions).rowwise().norm().mean();
    return sum / static_cast<double>(last);
}

double median_milliseconds(const io::CacheReader& cache) {
    const VectorX& all = cache.frame_milliseconds();
    return median({all.begin() + 1, all.end()});
}

fs::path simulate_one(const scene::Scene& scene, const std::string& method, const DemoSettings& settings) {
    const fs::path cache = settings.folder / (scene.name + "-" + method + ".h5");
    if (is_current(cache) && io::CacheReader(cache).frame_count() == settings.frames + 1) return cache;
    SimulateSettings run{.method = method, .frames = settings.frames, .cache = cache};
    if (settings.on_method) run.on_frame = settings.on_method(method);
    if (simulate(scene, run).stopped) throw Error("stopped; `tulle demo` starts again with {}", method);
    return cache;
}

}  // namespace

std::vector<DemoRow> demo(const DemoSettings& settings) {
    const scene::Scene scene = scene::load_scene(settings.scene);
    fs::create_directories(settings.folder);
    const io::CacheReader reference(simulate_one(scene, "newton", settings));
    const io::CacheReader full(simulate_one(scene, "admm", settings));
    const long last = settings.frames;
    const long second = std::min(last, std::lround(scene.time.frame_rate));
    std::vector<DemoRow> rows;
    const std::vector<std::string> learned = {"hierarchy", "miniature"};
    std::vector<std::string> methods = scene::solver_names();
    methods.insert(methods.end(), learned.begin(), learned.end());
    for (const std::string& method : methods) {
        const io::CacheReader cache(simulate_one(scene, method, settings));
        rows.push_back({.method = method,
                        .particles = cache.header().mesh.vertex_count(),
                        .ms_per_frame = median_milliseconds(cache),
                        .mean_distance = mean_distance(cache, reference, last),
                        .mean_distance_first_second = mean_distance(cache, reference, second),
                        .to_full_first_second = mean_distance(cache, full, second),
                        .learned = std::find(learned.begin(), learned.end(), method) != learned.end(),
                        .cache = cache.path()});
    }
    return rows;
}

}  // namespace tulle::workflows
