// SPDX-License-Identifier: Apache-2.0
// What contact after upscaling does and costs. Every scene runs twice, with and without, frame by frame in turn: the
// coarse cloths are the same to the bit, so that all differences are those of what is shown. Costs are processor time
// of one thread, which other programs disturb least. options.h has the command line; --frames is the most frames of a
// scene.
#include "options.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/median.h"
#include "tulle/core/parallel.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Work {
    std::string scene, method;
    scene::Overrides overrides;
    std::string label() const { return scene + ", " + method; }
};

// The mesh of drape-mesh is not subdivided: once here, so that there is something to infer. drape-coarse is the same
// tablecloth subdivided twice. The cells of twist do not divide by 4.
const std::vector<std::string> once = {"cloth.subdivisions=1", "upscaling.factor=2", "upscaling.solver=\"xpbd\""};
const std::vector<Work> works = {{"collision", "miniature", {}},    {"collision", "hierarchy", {}},
                                 {"drape", "miniature", {}},        {"drape", "hierarchy", {}},
                                 {"twist", "miniature", {}},        {"twist", "hierarchy", {"upscaling.factor=2"}},
                                 {"drape-mesh", "hierarchy", once}, {"drape-coarse", "hierarchy", {}},
                                 {"collision", "bicubic", {}},      {"twist", "bicubic", {}}};

constexpr int repeats = 3;         // of the runs that are timed
constexpr double too_deep = 1e-6;  // [m]
constexpr int samples = 8;         // along each edge of a face

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool is_inside(const collision::PlacedCollider& collider, const std::array<Vector3, 3>& corners) {
    for (int i = 0; i <= samples; ++i)
        for (int j = 0; i + j <= samples; ++j) {
            const double a = static_cast<double>(i) / samples, b = static_cast<double>(j) / samples;
            if (collider.shape().distance(a * corners[0] + b * corners[1] + (1 - a - b) * corners[2]) < -too_deep)
                return true;
        }
    return false;
}

// Faces of the cloth with a corner, a point of an edge or a point of their inside in a collider.
long penetrations(const scene::Simulation& simulation) {
    long faces = 0;
    for (const collision::Collider& collider : *simulation.world().colliders) {
        const collision::PlacedCollider placed(collider, simulation.state().time);
        const Eigen::Isometry3d to_shape = placed.to_world().inverse();
        for (const auto triangle : simulation.model().mesh.triangles.rowwise()) {
            std::array<Vector3, 3> corners;
            for (long k = 0; k < 3; ++k)
                corners[static_cast<size_t>(k)] = to_shape * Vector3(simulation.state().positions.row(triangle(k)));
            const double size = std::max((corners[1] - corners[0]).norm(), (corners[2] - corners[0]).norm());
            if (placed.shape().distance(corners[0]) < size && is_inside(placed, corners)) ++faces;
        }
    }
    return faces;
}

// One of the two runs, and what was seen of it.
class Side {
public:
    Side(const scene::Scene& scene, const std::string& method) : simulation_(scene, scene::parse_method(method)) {
        last_.push_back(simulation_.state().positions);
    }
    void advance() {
        const double begin = processor_seconds();
        const physics::StepReport report = simulation_.advance_frame();
        seconds_ += processor_seconds() - begin;
        counters_.add(report.counters);
        last_.push_back(simulation_.state().positions);
        if (last_.size() > 3) last_.pop_front();
    }
    void inspect() {
        const auto crossings =
            collision::find_crossings(simulation_.state().positions, simulation_.model().mesh.triangles);
        crossings_ += static_cast<long>(crossings.size());
        crossed_frames_ += crossings.empty() ? 0 : 1;
        penetrations_ += penetrations(simulation_);
    }
    const std::deque<Positions>& last() const { return last_; }  // up to three frames, the oldest first
    double seconds() const { return seconds_; }
    const Counters& counters() const { return counters_; }
    Json seen() const {
        return {
            {"intersections", crossings_}, {"intersecting_frames", crossed_frames_}, {"penetrations", penetrations_}};
    }

private:
    scene::Simulation simulation_;
    std::deque<Positions> last_;
    double seconds_ = 0;
    long crossings_ = 0, crossed_frames_ = 0, penetrations_ = 0;
    Counters counters_;
};

// How much more the vertices jerk that contact moved: their second differences against those without contact.
class Jumps {
public:
    void add(const std::deque<Positions>& without, const std::deque<Positions>& with) {
        if (with.size() < 3) return;
        const Positions plain = without[2] - 2 * without[1] + without[0], own = with[2] - 2 * with[1] + with[0];
        for (long v = 0; v < own.rows(); ++v) {
            double moved = 0;
            for (size_t i = 0; i < 3; ++i) moved = std::max(moved, (with[i].row(v) - without[i].row(v)).norm());
            correction_ = std::max(correction_, moved);
            if (moved == 0) continue;
            plain_squared_ += plain.row(v).squaredNorm();
            own_squared_ += own.row(v).squaredNorm();
            plain_worst_ = std::max(plain_worst_, plain.row(v).norm());
            own_worst_ = std::max(own_worst_, own.row(v).norm());
        }
    }
    Json report() const {
        return {{"rms_ratio", plain_squared_ > 0 ? std::sqrt(own_squared_ / plain_squared_) : 1},
                {"worst_without_mm", 1e3 * plain_worst_},
                {"worst_with_mm", 1e3 * own_worst_},
                {"largest_correction_mm", 1e3 * correction_}};
    }

private:
    double plain_squared_ = 0, own_squared_ = 0, plain_worst_ = 0, own_worst_ = 0, correction_ = 0;
};

struct Pair {
    Pair(const std::string& file, const Work& work)
        : without(load(file, work, "false"), work.method), with(load(file, work, "true"), work.method) {}
    static scene::Scene load(const std::string& file, const Work& work, const std::string& contact) {
        scene::Overrides overrides = work.overrides;
        overrides.push_back("upscaling.contact=" + contact);
        return scene::load_scene(file, overrides);
    }
    Side without, with;
};

Json measure(const bench::Options& options, const Work& work) {
    const std::string file = options.scenes + "/" + work.scene + ".toml";
    const int frames = std::min(options.frames, scene::load_scene(file, work.overrides).time.frames);
    Jumps jumps;
    std::vector<double> extra, plain;
    Json row;
    for (int repeat = 0; repeat < repeats; ++repeat) {
        Pair pair(file, work);
        for (int frame = 0; frame < frames; ++frame) {
            pair.without.advance();
            pair.with.advance();
            if (repeat > 0) continue;
            pair.without.inspect();
            pair.with.inspect();
            jumps.add(pair.without.last(), pair.with.last());
        }
        plain.push_back(1e3 * pair.without.seconds() / frames);
        extra.push_back(pair.with.seconds() / pair.without.seconds() - 1);
        if (repeat == 0)
            row = {{"work", work.label()},     {"frames", frames},        {"without", pair.without.seen()},
                   {"with", pair.with.seen()}, {"jumps", jumps.report()}, {"counters", pair.with.counters().all()}};
    }
    row["ms_without"] = median(plain);
    row["extra_time"] = median(extra);
    return row;
}

void print(const Json& row) {
    const auto number = [&](const char* side, const char* key) { return row[side][key].get<double>(); };
    fmt::print(
        "{:<24} {} frames: intersections {} → {} (frames {} → {}), penetrations {} → {}, {:+.0f} % of {:.2f} ms, "
        "jerk × {:.2f}, worst {:.1f} → {:.1f} mm, correction ≤ {:.1f} mm {}\n",
        row["work"].get<std::string>(), row["frames"].get<int>(), number("without", "intersections"),
        number("with", "intersections"), number("without", "intersecting_frames"),
        number("with", "intersecting_frames"), number("without", "penetrations"), number("with", "penetrations"),
        100 * row["extra_time"].get<double>(), row["ms_without"].get<double>(), number("jumps", "rms_ratio"),
        number("jumps", "worst_without_mm"), number("jumps", "worst_with_mm"), number("jumps", "largest_correction_mm"),
        row["counters"].dump());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(1);
    Json rows = Json::array();
    for (const Work& work : works) {
        if (work.label().find(options.only) == std::string::npos) continue;
        rows.push_back(measure(options, work));
        print(rows.back());
    }
    bench::write_json(options, {{"rows", rows}});
}
