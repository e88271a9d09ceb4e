// SPDX-License-Identifier: Apache-2.0
// The solve phase with three right-hand sides against other libraries: same matrix, same elimination order, same number
// of threads, interleaved runs. Everybody's right-hand side is in elimination order already and is copied in; the peers
// solve in double precision, ours in single. Then ours in double precision, and what Newton's method needs: refactoring
// a 3|V|×3|V| matrix and solving with one right-hand side.
#include "cholesky_cases.h"
#include "cholesky_peers.h"
#include "machine_peak.h"
#include "options.h"
#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"
#include "tulle/numerics/double_cholesky.h"
#include "tulle/numerics/sparse_cholesky.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

using namespace tulle;
using namespace tulle::bench;

namespace {

using Json = nlohmann::ordered_json;

struct Runner {
    std::string name;
    std::function<void()> run;
    std::vector<double> milliseconds{};

    double median() {
        std::sort(milliseconds.begin(), milliseconds.end());
        return milliseconds[milliseconds.size() / 2];
    }
};

// Runs take turns, so that noise of the machine meets all of them.
void take_turns(std::vector<Runner>& runners, double seconds) {
    const Stopwatch total;
    for (int round = 0; round < 5 || total.milliseconds() < 1000 * seconds; ++round)
        for (Runner& runner : runners) {
            runner.run();  // brings its own data into the cache, as in the middle of twenty iterations
            const Stopwatch watch;
            runner.run();
            runner.milliseconds.push_back(watch.milliseconds());
        }
}

Json measure_double(const numerics::SparseMatrix& matrix, int columns, double seconds) {
    numerics::DoubleCholesky cholesky(matrix);
    const Eigen::MatrixXd b = Eigen::MatrixXd::Ones(matrix.rows(), columns);
    Eigen::MatrixXd x;
    std::vector<Runner> runners{{"refactor", [&] { cholesky.refactor(matrix); }},
                                {"solve", [&] { x = cholesky.solve(b); }}};
    take_turns(runners, seconds);
    return {{"unknowns", cholesky.size()},        {"columns", columns},
            {"nonzeros", cholesky.nonzeros()},    {"analysis_ms", cholesky.analysis_milliseconds()},
            {"refactor_ms", runners[0].median()}, {"solve_ms", runners[1].median()}};
}

Json measure(const numerics::SparseMatrix& matrix, int threads, double seconds) {
    set_thread_count(threads);
    const int size = static_cast<int>(matrix.rows());
    numerics::SparseCholesky cholesky(matrix);
    numerics::CholeskyWorkspace workspace = cholesky.make_workspace();
    const numerics::SparseMatrix permuted = in_order(matrix, cholesky.order());
    const MatrixView view{size, permuted.outerIndexPtr(), permuted.innerIndexPtr(), permuted.valuePtr()};
    std::vector<double> b(3 * static_cast<size_t>(size)), x(b.size());
    std::vector<float> rows(4 * static_cast<size_t>(size));
    for (size_t k = 0; k < b.size(); ++k) b[k] = rows[k] = static_cast<float>(k % 17);

    std::vector<std::unique_ptr<CholeskyPeer>> peers;
    peers.push_back(make_eigen_peer(view));
    peers.push_back(make_cholmod_peer(view, false));
    peers.push_back(make_cholmod_peer(view, true));
    std::vector<Runner> runners{{"tulle", [&] {
                                     std::copy(rows.begin(), rows.end(), workspace.rows());
                                     cholesky.solve_in_place(workspace);
                                 }}};
    for (const auto& peer : peers) runners.push_back({peer->name(), [&] { peer->solve(b.data(), x.data()); }});
    take_turns(runners, seconds);

    Json result{{"particles", size},
                {"threads", threads},
                {"nonzeros", cholesky.nonzeros()},
                {"analysis_ms", cholesky.analysis_milliseconds()},
                {"factorisation_ms", cholesky.factorisation_milliseconds()}};
    for (Runner& runner : runners) result["solve_ms"][runner.name] = runner.median();
    for (Runner& runner : runners) result["times_faster"][runner.name] = runner.median() / runners[0].median();
    std::vector<Runner> refactor{{"tulle", [&] { cholesky.refactor(matrix); }}};
    take_turns(refactor, seconds / 4);
    result["refactor_ms"] = refactor[0].median();
    result["double"].push_back(measure_double(matrix, 3, seconds / 2));
    if (size < 50'000) result["double"].push_back(measure_double(on_three_axes(matrix), 1, seconds / 2));
    return result;
}

void print(const Json& result) {
    fmt::print(
        "{:7} particles, {} threads: {:9} entries, analysis {:.1f} ms, factorisation {:.1f} ms, again {:.1f} ms\n",
        result["particles"].get<int>(), result["threads"].get<int>(), result["nonzeros"].get<long>(),
        result["analysis_ms"].get<double>(), result["factorisation_ms"].get<double>(),
        result["refactor_ms"].get<double>());
    for (const auto& [name, milliseconds] : result["solve_ms"].items())
        fmt::print("    {:22} {:9.4f} ms  {:5.1f}×\n", name, milliseconds.get<double>(),
                   result["times_faster"][name].get<double>());
    for (const Json& part : result["double"])
        fmt::print(
            "    double precision, {} unknowns, {} columns: analysis {:.1f} ms, refactoring {:.2f} ms, solve {:.4f} "
            "ms\n",
            part["unknowns"].get<int>(), part["columns"].get<int>(), part["analysis_ms"].get<double>(),
            part["refactor_ms"].get<double>(), part["solve_ms"].get<double>());
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = parse_options(argc, argv);
    Json report{{"benchmark", "cholesky_solve"}, {"machine", Json::array()}, {"results", Json::array()}};
    for (const int threads : {1, 2}) {
        const MachinePeak peak = measure_peak(threads);
        fmt::print("{} threads: {:.0f} GFLOP/s, {:.1f} GB/s\n", threads, peak.gflops, peak.gigabytes_second);
        report["machine"].push_back(
            {{"threads", threads}, {"gflops_fp32", peak.gflops}, {"gigabytes_per_second", peak.gigabytes_second}});
    }
    for (const auto& [rows, columns] : {std::pair{25, 37}, {49, 73}, {97, 145}, {385, 577}}) {
        if (fmt::format("{}x{}", rows, columns).find(options.only) == std::string::npos) continue;
        for (const int threads : {1, 2}) {
            report["results"].push_back(measure(grid_matrix(rows, columns), threads, rows > 200 ? 8 : 1.5));
            print(report["results"].back());
        }
    }
    write_json(options, report);
}
