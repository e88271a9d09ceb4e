// SPDX-License-Identifier: Apache-2.0
// One step of the fused ADMM kernel, 20 iterations, with its conversions from and to double precision: milliseconds and
// how they grow with the size of the cloth. `--json FILE` writes the same as JSON.
#include "cholesky_cases.h"
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"
#include "tulle/physics/solvers/admm_kernel.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace tulle;
using namespace tulle::bench;

namespace {

using Json = nlohmann::ordered_json;

struct Cloth {
    physics::AdmmSystem system;
    VectorX rest_lengths;
    Positions start, inertial;
};

// A cloth of 1.2 m × 1.8 m, every 12th vertex of its top row pinned, in a wind.
Cloth make_cloth(int rows, int columns) {
    Cloth cloth;
    physics::AdmmSystem& system = cloth.system;
    system.edges = grid_springs(rows, columns);
    system.matrix = grid_matrix(rows, columns);
    system.dt = 0.02;
    system.stiffness = VectorX::Constant(system.edges.rows(), 100);
    system.masses = VectorX::Constant(rows * columns, 2e-3);
    system.pinned.assign(static_cast<size_t>(rows * columns), false);
    for (int c = 0; c < columns; c += 12) system.pinned[static_cast<size_t>(c)] = true;
    cloth.start.resize(rows * columns, 3);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            cloth.start.row(r * columns + c) << 1.8 * c / (columns - 1), 0, -1.2 * r / (rows - 1);
    cloth.rest_lengths.resize(system.edges.rows());
    for (long s = 0; s < system.edges.rows(); ++s)
        cloth.rest_lengths(s) = (cloth.start.row(system.edges(s, 0)) - cloth.start.row(system.edges(s, 1))).norm();
    cloth.inertial = cloth.start;
    for (int v = 0; v < rows * columns; ++v)
        if (!system.pinned[static_cast<size_t>(v)])
            cloth.inertial.row(v) +=
                Eigen::RowVector3d(1e-3, 5e-3 * std::sin(4 * cloth.start(v, 0)), -9.81 * system.dt * system.dt);
    return cloth;
}

Json measure(int rows, int columns, int threads, double seconds) {
    set_thread_count(threads);
    const Cloth cloth = make_cloth(rows, columns);
    physics::AdmmKernel kernel(cloth.system);
    std::vector<double> milliseconds;
    const Stopwatch total;
    Positions positions;
    for (int round = 0; round < 5 || total.milliseconds() < 1000 * seconds; ++round) {
        positions = cloth.start;
        const Stopwatch watch;
        const physics::AdmmReport report = kernel.minimise(cloth.inertial, cloth.rest_lengths, {.most = 20}, positions);
        milliseconds.push_back(watch.milliseconds());
        if (report.iterations != 20) throw std::logic_error("the kernel skipped iterations");
    }
    std::sort(milliseconds.begin(), milliseconds.end());
    return {{"rows", rows},
            {"columns", columns},
            {"particles", rows * columns},
            {"springs", cloth.system.edges.rows()},
            {"threads", threads},
            {"iterations", 20},
            {"ms_median", milliseconds[milliseconds.size() / 2]},
            {"ms_best", milliseconds.front()}};
}

// The slope of log(ms) over log(particles), least squares.
double growth_exponent(const Json& results, int threads) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const Json& result : results) {
        if (result["threads"].get<int>() != threads) continue;
        const double x = std::log(result["particles"].get<double>()), y = std::log(result["ms_median"].get<double>());
        n += 1;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse_options(argc, argv);
    Json report{{"benchmark", "admm_step"}, {"machine", Json::array()}, {"results", Json::array()}};
    for (const int threads : {1, 2}) {
        const MachinePeak peak = measure_peak(threads);
        fmt::print("{} threads: {:.0f} GFLOP/s, {:.1f} GB/s\n", threads, peak.gflops, peak.gigabytes_second);
        report["machine"].push_back(
            {{"threads", threads}, {"gflops_fp32", peak.gflops}, {"gigabytes_per_second", peak.gigabytes_second}});
    }
    for (const auto& [rows, columns] : {std::pair{25, 37}, {49, 73}, {97, 145}, {385, 577}}) {
        if (fmt::format("{}x{}", rows, columns).find(options.only) == std::string::npos) continue;
        for (const int threads : {1, 2}) {
            const Json result = measure(rows, columns, threads, rows > 200 ? 4 : 1);
            fmt::print("{:3}×{:3} ({:7} springs), {} threads: {:8.3f} ms median, {:8.3f} ms best\n", rows, columns,
                       result["springs"].get<long>(), threads, result["ms_median"].get<double>(),
                       result["ms_best"].get<double>());
            report["results"].push_back(result);
        }
    }
    for (const int threads : {1, 2}) {
        report["growth_exponent"][std::to_string(threads)] = growth_exponent(report["results"], threads);
        fmt::print("{} threads: time grows with particles to the power {:.2f}\n", threads,
                   growth_exponent(report["results"], threads));
    }
    write_json(options, report);
}
