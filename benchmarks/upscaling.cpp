// SPDX-License-Identifier: Apache-2.0
// What upscaling saves: whole frames of the learned methods against the full simulation of the same cloth. The two take
// turns, ten frames each, so that a busy machine slows both alike. options.h has the command line.
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Work {
    std::string label, scene, method;
    scene::Overrides overrides;
    double goal_speedup;
    double goal_inference_ms;  // on a machine with 205 GFLOP/s on two threads; 0: none
};

const std::vector<std::string> large = {"cloth.rows=97", "cloth.columns=145", "upscaling.factor=4"};
const std::vector<Work> works = {{"miniature x2, 49x73", "flag", "miniature", {}, 2.7, 0.2},
                                 {"miniature:paper x2, 49x73", "flag", "miniature:paper", {}, 0, 0.2},
                                 {"miniature x4, 97x145", "flag", "miniature", large, 8, 0},
                                 {"hierarchy, 49x73", "flag", "hierarchy", {}, 7, 0},
                                 {"hierarchy:paper, 49x73", "flag", "hierarchy:paper", {}, 0, 0}};

struct Costs {
    std::vector<double> frames, inference;  // [ms]
};

void advance(scene::Simulation& simulation, int frames, Costs& costs) {
    for (int i = 0; i < frames; ++i) {
        const Stopwatch watch;
        physics::StepReport report = simulation.advance_frame();
        costs.frames.push_back(watch.milliseconds());
        costs.inference.push_back(report.stages["inference"]);
    }
}

Json measure(const bench::Options& options, const Work& work, double machine_factor) {
    const scene::Scene scene = scene::load_scene(options.scenes + "/" + work.scene + ".toml", work.overrides);
    scene::Simulation full(scene, scene::parse_method("admm")), method(scene, scene::parse_method(work.method));
    Costs warm, full_costs, costs;
    advance(full, 3, warm);
    advance(method, 3, warm);
    for (int turn = 0; turn < std::max(3, options.frames / 10); ++turn) {
        advance(full, 10, full_costs);
        advance(method, 10, costs);
    }
    return {{"work", work.label},
            {"particles", full.model().vertex_count()},
            {"ms_full", median(full_costs.frames)},
            {"ms_per_frame", median(costs.frames)},
            {"ms_inference", median(costs.inference)},
            {"speedup", median(full_costs.frames) / median(costs.frames)},
            {"goal_speedup", work.goal_speedup},
            {"goal_inference_ms_here", work.goal_inference_ms * machine_factor}};
}

void print(const Json& row) {
    fmt::print("{:<28} full {:>7.3f} ms, method {:>7.3f} ms (inference {:.3f}): {:.2f} times as fast",
               row["work"].get<std::string>(), row["ms_full"].get<double>(), row["ms_per_frame"].get<double>(),
               row["ms_inference"].get<double>(), row["speedup"].get<double>());
    if (row["goal_speedup"] > 0) fmt::print(", goal {}", row["goal_speedup"].get<double>());
    if (row["goal_inference_ms_here"] > 0)
        fmt::print(", inference goal {:.3f} ms", row["goal_inference_ms_here"].get<double>());
    fmt::print("\n");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(2);
    const bench::MachinePeak peak = bench::measure_peak(2);
    fmt::print("this machine: {:.0f} GFLOP/s fp32 on 2 threads\n", peak.gflops);
    Json rows = Json::array();
    for (const Work& work : works) {
        if (work.label.find(options.only) == std::string::npos) continue;
        rows.push_back(measure(options, work, 205 / peak.gflops));
        print(rows.back());
    }
    bench::write_json(options, {{"machine", {{"threads", 2}, {"gflops_fp32", peak.gflops}}}, {"rows", rows}});
}
