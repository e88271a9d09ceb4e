// SPDX-License-Identifier: Apache-2.0
// Larger steps of the force cell against its small ones, in simulated time, and the small steps' own best: mass_spring
// at the longest step that is stable. Runs take turns, so that what else the machine does hits all of them, and the
// clock is the processor time of all threads divided by their number: others may be at work. options.h has the command
// line.
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Run {
    std::string method;
    scene::Overrides overrides;
    std::unique_ptr<scene::Simulation> simulation;
    std::vector<double> wall, processor;  // [ms] of each frame
};

double processor_milliseconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

Json measure(const std::filesystem::path& folder, const std::string& name, int frames) {
    std::vector<Run> runs;
    runs.push_back({.method = "force_cell"});
    runs.push_back({.method = "mass_spring"});
    for (const char* method : {"force_cell:4", "force_cell:8", "force_cell:16"}) runs.push_back({.method = method});
    for (Run& run : runs) {
        run.simulation = std::make_unique<scene::Simulation>(
            scene::load_scene(folder / (name + ".toml"), run.overrides), scene::parse_method(run.method));
        run.simulation->advance_frame();  // warms the caches
    }
    for (int i = 0; i < frames; ++i)
        for (Run& run : runs) {
            const Stopwatch watch;
            const double before = processor_milliseconds();
            run.simulation->advance_frame();
            run.processor.push_back((processor_milliseconds() - before) / thread_count());
            run.wall.push_back(watch.milliseconds());
        }
    Json rows = Json::array();
    for (const Run& run : runs) {
        const double wall = median(run.wall), processor = median(run.processor);
        rows.push_back({{"scene", name},
                        {"method", run.method},
                        {"threads", thread_count()},
                        {"steps_per_frame", run.simulation->steps_per_frame()},
                        {"ms_per_frame", wall},
                        {"processor_ms_per_frame", processor},
                        {"microseconds_per_step", 1000 * processor / run.simulation->steps_per_frame()},
                        {"faster_than_small_steps", median(runs[0].processor) / processor},
                        {"faster_by_the_clock", median(runs[0].wall) / wall}});
    }
    return rows;
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    const bench::MachinePeak peak = bench::measure_peak(2);
    Json rows = Json::array();
    fmt::print("{:<14} {:<14} {:>7} {:>6} {:>10} {:>12} {:>12} {:>10} {:>10}\n", "scene", "method", "threads", "steps",
               "ms/frame", "processor ms", "µs a step", "times", "by clock");
    for (const auto& [name, threads] :
         {std::pair{"pinned-fall", 1}, {"pinned-fall", 2}, {"blow-up", 1}, {"blow-up", 2}}) {
        if (std::string(name).find(options.only) == std::string::npos) continue;
        set_thread_count(threads);
        for (const Json& row : measure(options.scenes, name, options.frames)) {
            fmt::print("{:<14} {:<14} {:>7} {:>6} {:>10.2f} {:>12.2f} {:>12.1f} {:>10.2f} {:>10.2f}\n",
                       row["scene"].get<std::string>(), row["method"].get<std::string>(), row["threads"].get<int>(),
                       row["steps_per_frame"].get<int>(), row["ms_per_frame"].get<double>(),
                       row["processor_ms_per_frame"].get<double>(), row["microseconds_per_step"].get<double>(),
                       row["faster_than_small_steps"].get<double>(), row["faster_by_the_clock"].get<double>());
            rows.push_back(row);
        }
    }
    bench::write_json(
        options, {{"machine", {{"threads", 2}, {"gflops_fp32", peak.gflops}, {"gb_per_second", peak.gigabytes_second}}},
                  {"rows", rows}});
}
