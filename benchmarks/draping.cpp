// SPDX-License-Identifier: Apache-2.0
// How much of an example of `tulle generate --poses` is chance, which no network can learn: what lies between two
// garments at rest that ought to be the same. Each pose is reached in 40 steps and once more in 44, with the garment
// stiff until it is there, as examples are made, and soft all the way; and the pose that a mirror shows is draped and
// held against the mirror image. --frames N: so many poses. options.h has the command line.
#include "options.h"
#include "tulle/body/mannequin.h"
#include "tulle/body/mirrored_angles.h"
#include "tulle/body/random_angles.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/core/timer.h"
#include "tulle/methods/garment/pattern_mirror.h"
#include "tulle/workflows/drape_pose.h"

#include <cmath>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

enum class Twin { Slower, Mirrored };

struct Way {
    const char* label;
    Twin twin;
    workflows::DrapeSettings settings;
};

const std::vector<Way> ways = {
    {"stiff until it is in the pose", Twin::Slower, {}},
    {"stiff, against the mirror image", Twin::Mirrored, {}},
    {"soft all the way", Twin::Slower, {.stiffening = 1, .calm_steps = 0, .soften_steps = 0}},
};

struct Pair {
    workflows::DrapeOutcome first, second;
    double rms() const {  // [m]
        const Positions apart = first.positions - second.positions;
        return std::sqrt(apart.squaredNorm() / static_cast<double>(apart.rows()));
    }
};

// The scene's body must stand where it is its own mirror image at x = 0.
Pair drape_twice(const workflows::DrapedBody& body, const methods::PatternMirror& mirror, const Way& way,
                 std::uint64_t seed) {
    const auto angles = body::random_angles(body.character().skeleton, body::mannequin_upper_joints(), seed);
    Pair pair{.first = body.drape(angles, way.settings), .second = {}};
    if (way.twin == Twin::Slower) {
        workflows::DrapeSettings slower = way.settings;
        slower.reach_steps += way.settings.reach_steps / 10;
        pair.second = body.drape(angles, slower);
    } else {
        pair.second = body.drape(body::mirrored_angles(angles), way.settings);
        pair.second.positions = mirror.mirrored(pair.second.positions);
    }
    return pair;
}

Json row_of(const Way& way, const std::vector<Pair>& pairs, double seconds) {
    std::vector<double> differences;
    double squares = 0, steps = 0;
    long unsound = 0;
    for (const Pair& pair : pairs) {
        differences.push_back(1000 * pair.rms());
        squares += differences.back() * differences.back() / static_cast<double>(pairs.size());
        steps += (pair.first.steps + pair.second.steps) / (2 * static_cast<double>(pairs.size()));
        for (const auto* outcome : {&pair.first, &pair.second})
            unsound += outcome->fault == workflows::DrapeFault::None ? 0 : 1;
    }
    const double per_second = 2 * static_cast<double>(pairs.size()) / seconds;
    fmt::print(
        "{:<32} {:>6.2f} mm apart (root of the mean square; median pose {:.2f}), {:.0f} steps, {:.2f} poses/s, {} "
        "unsound\n",
        way.label, std::sqrt(squares), median(differences), steps, per_second, unsound);
    return {{"work", way.label},   {"rms_apart_mm", std::sqrt(squares)}, {"median_apart_mm", median(differences)},
            {"mean_steps", steps}, {"poses_per_second", per_second},     {"minutes_for_1000", 1000 / per_second / 60},
            {"unsound", unsound}};
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(2);
    const workflows::DrapedBody body(scene::load_scene(options.scenes + "/shirt.toml"));
    const methods::PatternMirror mirror(body.model().mesh.tex_coords, body.model().mesh.triangles);
    Json rows = Json::array();
    for (const Way& way : ways) {
        std::vector<Pair> pairs(static_cast<size_t>(options.frames));
        const Stopwatch watch;
        parallel_tasks(options.frames, [&](long i) {
            pairs[static_cast<size_t>(i)] = drape_twice(body, mirror, way, 7'000'000 + static_cast<std::uint64_t>(i));
        });
        rows.push_back(row_of(way, pairs, watch.milliseconds() / 1000));
    }
    bench::write_json(options, {{"machine", {{"threads", 2}}}, {"poses", options.frames}, {"rows", rows}});
}
