// SPDX-License-Identifier: Apache-2.0
// What dressing a body by a network costs: whole frames of `garment` on the dancing mannequin, without and with its
// projection, against the simulation of the same shirt on the same body. They take turns, so that a busy machine slows
// all alike. The weights are those of the scene. options.h has the command line.
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/families/garment/worn_garment.h"
#include "tulle/scene/find_weights.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Contestant {
    std::string label, method;
    scene::Overrides overrides = {};
    double goal_ms = 0;       // of a frame; 0: none
    double goal_speedup = 0;  // against the simulation; 0: none
};

const std::vector<Contestant> contestants = {
    {"network and skinning", "garment:network", {}, 5, 20},
    {"with its projection to 1e-3", "garment", {"solver.garment.tolerance=1e-3"}, 1000.0 / 30, 4},
    {"with its projection to 1e-3, pushed out",
     "garment",
     {"solver.garment.tolerance=1e-3", "solver.garment.push_out=true"}},
    {"with its projection to 1e-6", "garment", {"solver.garment.tolerance=1e-6"}},
};

double peak_megabytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

struct Runner {
    scene::Simulation simulation;
    std::vector<double> frames = {};  // [ms]
    Counters counters = {};

    void advance(int count) {
        for (int i = 0; i < count; ++i) {
            const Stopwatch watch;
            const physics::StepReport report = simulation.advance_frame();
            frames.push_back(watch.milliseconds());
            counters.add(report.counters);
        }
    }
};

Json row_of(const Contestant& contestant, const Runner& runner, double ms_full) {
    const double ms = median(runner.frames);
    fmt::print("{:<42} {:>8.2f} ms a frame, {:>6.1f} times as fast as admm", contestant.label, ms, ms_full / ms);
    if (contestant.goal_ms > 0) fmt::print(" (goals {:.1f} ms, {} times)", contestant.goal_ms, contestant.goal_speedup);
    fmt::print("\n");
    return {{"work", contestant.label},
            {"ms_per_frame", ms},
            {"ms_worst", *std::max_element(runner.frames.begin(), runner.frames.end())},
            {"speedup", ms_full / ms},
            {"goal_ms", contestant.goal_ms},
            {"goal_speedup", contestant.goal_speedup},
            {"unsolved_projections", runner.counters.of("unsolved_projections")},
            {"pushed_out_vertices", runner.counters.of("pushed_out_vertices")}};
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(2);
    const std::string file = options.scenes + "/shirt-dance.toml";
    const scene::Scene plain = scene::load_scene(file);
    const auto weights = scene::find_weights(plain.folder, {scene::garment_weights_name(plain)}, "to measure");
    std::vector<Runner> runners;
    for (const Contestant& contestant : contestants) {
        runners.push_back(
            {scene::Simulation(scene::load_scene(file, contestant.overrides), scene::parse_method(contestant.method))});
        runners.back().advance(1);
        if (runners.size() == 2) break;  // the first two tell the memory
    }
    const double memory = peak_megabytes();
    const bench::MachinePeak peak = bench::measure_peak(2);
    for (size_t k = runners.size(); k < contestants.size(); ++k)
        runners.push_back({scene::Simulation(scene::load_scene(file, contestants[k].overrides),
                                             scene::parse_method(contestants[k].method))});
    Runner full{scene::Simulation(plain, scene::parse_method("admm"))};
    full.advance(1);
    for (Runner& runner : runners) runner.frames.clear();
    full.frames.clear();
    for (int done = 0; done < options.frames; done += 5) {
        full.advance(5);
        for (Runner& runner : runners) runner.advance(5);
    }
    const double ms_full = median(full.frames);
    const double megabytes = static_cast<double>(std::filesystem::file_size(weights)) / (1 << 20);
    fmt::print("{} vertices; admm {:.1f} ms a frame; peak memory {:.0f} MB; weights {:.1f} MB\n",
               full.simulation.model().vertex_count(), ms_full, memory, megabytes);
    Json rows = Json::array();
    for (size_t k = 0; k < contestants.size(); ++k) rows.push_back(row_of(contestants[k], runners[k], ms_full));
    bench::write_json(options, {{"machine", {{"threads", 2}, {"gflops_fp32", peak.gflops}}},
                                {"frames", options.frames},
                                {"ms_admm", ms_full},
                                {"peak_mb", memory},
                                {"weights_mb", megabytes},
                                {"rows", rows}});
}
