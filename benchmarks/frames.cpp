// SPDX-License-Identifier: Apache-2.0
// Whole frames as users get them: scene to state, all forces included, the cache left out. Gravity and wind, no
// contact, then the share of contact in the scenes that have it. options.h has the command line.
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Work {
    std::string label, scene, method;
    scene::Overrides overrides;
    double goal_ms;  // on a machine with 205 GFLOP/s on two threads; 0: none
    int frames;
};

// The wind of the flag on all of them, so that they differ in size only.
std::vector<Work> works(int frames) {
    const std::string wind = "wind.velocity=[6,2,0]";
    return {{"admm 25x37", "cloth", "admm", {wind}, 0.75, frames},
            {"admm 49x73", "flag", "admm", {wind}, 3, frames},
            {"admm 97x145", "flag", "admm", {wind, "cloth.rows=97", "cloth.columns=145"}, 13, frames},
            {"admm 193x289", "flag", "admm", {wind, "cloth.rows=193", "cloth.columns=289"}, 0, std::max(5, frames / 4)},
            {"tower", "tower", "admm", {}, 700, std::max(5, frames / 10)},
            {"mass_spring 128x128", "pinned-fall", "mass_spring", {"wind.velocity=[6,0,2]"}, 0, frames},
            {"collision", "collision", "admm", {}, 0, 2 * frames},
            {"twist", "twist", "admm", {}, 0, 2 * frames}};
}

double peak_memory() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / (1024 * 1024);
}

Json measure(const std::filesystem::path& folder, const Work& work, double machine_factor) {
    scene::Simulation simulation(scene::load_scene(folder / (work.scene + ".toml"), work.overrides),
                                 scene::parse_method(work.method));
    simulation.advance_frame();  // factors the matrix
    std::vector<double> costs;
    double contact = 0, total = 0;
    for (int i = 0; i < work.frames; ++i) {
        const Stopwatch watch;
        const physics::StepReport report = simulation.advance_frame();
        costs.push_back(watch.milliseconds());
        total += costs.back();
        for (const char* stage : {"colliders", "self_collision"})
            if (const auto found = report.stages.find(stage); found != report.stages.end()) contact += found->second;
    }
    const double milliseconds = median(costs);
    Json row = {{"work", work.label},
                {"particles", simulation.model().vertex_count()},
                {"springs", simulation.model().springs.count()},
                {"steps_per_frame", simulation.steps_per_frame()},
                {"ms_per_frame", milliseconds},
                {"steps_per_second", 1000 * simulation.steps_per_frame() / milliseconds},
                {"contact_share", contact / total},
                {"peak_memory_gib", peak_memory()}};
    if (work.goal_ms > 0) row["goal_ms_here"] = work.goal_ms * machine_factor;
    return row;
}

// The slope of log(ms) over log(particles), by least squares over the admm rows without contact.
double growth_exponent(const Json& rows) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const Json& row : rows) {
        if (row["contact_share"] > 0 || row["work"].get<std::string>().starts_with("mass_spring")) continue;
        const double x = std::log(row["particles"].get<double>()), y = std::log(row["ms_per_frame"].get<double>());
        ++n, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void print(const Json& row) {
    fmt::print("{:<20} {:>8} particles {:>10.3f} ms/frame {:>10.0f} steps/s {:>5.1f} % contact {:>6.2f} GiB{}\n",
               row["work"].get<std::string>(), row["particles"].get<int>(), row["ms_per_frame"].get<double>(),
               row["steps_per_second"].get<double>(), 100 * row["contact_share"].get<double>(),
               row["peak_memory_gib"].get<double>(),
               row.contains("goal_ms_here") ? fmt::format("   goal {:.2f} ms", row["goal_ms_here"].get<double>()) : "");
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(2);
    const bench::MachinePeak peak = bench::measure_peak(2);
    const double machine_factor = 205 / peak.gflops;
    fmt::print("this machine: {:.0f} GFLOP/s fp32 on 2 threads, {:.0f} GB/s; goals are times {:.2f}\n", peak.gflops,
               peak.gigabytes_second, machine_factor);
    Json rows = Json::array();
    for (const Work& work : works(options.frames)) {
        if (work.label.find(options.only) == std::string::npos) continue;
        rows.push_back(measure(options.scenes, work, machine_factor));
        print(rows.back());
    }
    const double exponent = growth_exponent(rows);
    fmt::print("admm grows with particles to the power {:.2f}\n", exponent);
    bench::write_json(
        options, {{"machine", {{"threads", 2}, {"gflops_fp32", peak.gflops}, {"gb_per_second", peak.gigabytes_second}}},
                  {"rows", rows},
                  {"admm_growth_exponent", exponent}});
}
