// SPDX-License-Identifier: Apache-2.0
// What `tulle view` delivers to a client over the real wire: frames per second, frames that were left out, and the time
// from starting to the first frame. The client runs in the same program and reads everything, as a page does; it draws
// nothing. options.h has the command line; --frames is the number of seconds of each row.
#include "options.h"
#include "tests/view/live_server.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Work {
    std::string label, scene;
    std::vector<std::string> methods;
    double speed = 1;  // times real time; 100: as fast as it can be
    // In the text of the scene.
    std::vector<std::pair<std::string, std::string>> replacements = {};
};

// 25 × 37 particles are simulated in all of them.
const std::string last_stages = "[[upscaling.stages]]\nmethod = \"hierarchy\"\nfactor = 4\n";
const std::vector<Work> works = {
    {"flag by admm and hierarchy, in real time", "flag", {"admm", "hierarchy"}},
    {"97×145 by cascade", "flag-cascade", {"cascade"}, 100},
    {"769×1153 by cascade",
     "flag-cascade",
     {"cascade"},
     100,
     {{"rows = 97 ", "rows = 769 "},
      {"columns = 145 ", "columns = 1153 "},
      {"mass = 0.000125", "mass = 0.000001953125"},
      {"[[upscaling.stages]]         # 49 × 73 to 97 × 145\nmethod = \"hierarchy\"\nfactor = 2\n",
       last_stages + last_stages}}}};

std::string scene_text(const bench::Options& options, const Work& work) {
    std::string text = read_file(options.scenes + "/" + work.scene + ".toml", 1 << 20);
    for (const auto& [before, after] : work.replacements) {
        const size_t found = text.find(before);
        if (found == std::string::npos) {
            fmt::print(stderr, "scenes/{}.toml has no '{}' any more\n", work.scene, before);
            std::exit(1);
        }
        text.replace(found, before.size(), after);
    }
    return text;
}

struct Delivered {
    long frames = 0, skipped = 0, last = -1;
};

Json measure(const bench::Options& options, const Work& work) {
    const Stopwatch opening;
    test::LiveServer server(work.methods, scene_text(options, work));
    test::LiveClient client(server);
    const Json scene = client.wait_for_text("scene").json();
    for (int panel = 0; panel < static_cast<int>(work.methods.size()); ++panel) client.wait_for_frame(panel);
    const double first_frame = opening.milliseconds();
    client.send({{"type", "speed"}, {"value", work.speed}});
    client.wait_for_frame(0, 10);  // memory is allocated, and all are awake
    std::map<int, Delivered> panels;
    size_t bytes = 0;
    const Stopwatch watch;
    while (watch.milliseconds() < 1e3 * options.frames) {
        const auto message = client.receive();
        if (message.bytes.empty()) {
            fmt::print(stderr, "{}: the connection has ended\n", work.label);
            std::exit(1);
        }
        bytes += message.bytes.size();
        if (message.type() != 2) continue;
        Delivered& panel = panels[message.panel()];
        if (panel.last >= 0) panel.skipped += std::max(0L, message.frame() - panel.last - 1);
        panel.last = message.frame();
        ++panel.frames;
    }
    const double seconds = 1e-3 * watch.milliseconds();
    Json row = {{"work", work.label},
                {"vertices", scene["panels"][0]["vertices"]},
                {"seconds", seconds},
                {"ms_to_first_frame", first_frame},
                {"megabytes_per_second", 1e-6 * static_cast<double>(bytes) / seconds},
                {"panels", Json::array()}};
    for (const auto& [index, panel] : panels)
        row["panels"].push_back({{"method", work.methods[static_cast<size_t>(index)]},
                                 {"frames_per_second", static_cast<double>(panel.frames) / seconds},
                                 {"skipped_frames", panel.skipped}});
    return row;
}

void print(const Json& row) {
    fmt::print("{}: {} vertices, first frame after {:.0f} ms, {:.1f} MB/s\n", row["work"].get<std::string>(),
               row["vertices"].get<long>(), row["ms_to_first_frame"].get<double>(),
               row["megabytes_per_second"].get<double>());
    for (const Json& panel : row["panels"])
        fmt::print("  {:<12} {:6.1f} frames/s, {} left out\n", panel["method"].get<std::string>(),
                   panel["frames_per_second"].get<double>(), panel["skipped_frames"].get<long>());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    const std::string models = std::filesystem::absolute(options.scenes + "/../models").string();
    setenv("TULLE_MODELS", models.c_str(), /*overwrite=*/0);  // the scenes are copied elsewhere
    Json rows = Json::array();
    for (const Work& work : works) {
        if (work.label.find(options.only) == std::string::npos) continue;
        rows.push_back(measure(options, work));
        print(rows.back());
    }
    bench::write_json(options, {{"threads", thread_count()}, {"rows", rows}});
}
