// SPDX-License-Identifier: Apache-2.0
// How far larger steps of the force cell are from the small steps of physics, over the four scenes of the force-cell
// paper: the mean distance in percent of the cloth's size. Beside them the chaos floor (physics from a start changed by
// 1e-10 m) and what a sceptic would do (mass_spring at 48 steps a frame; at 44 it blows up). ball-drop is of the
// material that the cells were taught. options.h has the command line; --frames 79 is 5,056 small steps.
#include "options.h"
#include "tulle/core/parallel.h"
#include "tulle/core/random.h"
#include "tulle/physics/solvers/solver.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

using namespace tulle;
using Json = nlohmann::ordered_json;

namespace {

struct Run {
    std::string label, method;
    scene::Overrides overrides;
    double noise = 0;  // [m]
};

// Places of every frame; fewer than asked for if it blew up.
std::vector<Positions> frames_of(const std::filesystem::path& scene_file, const Run& run, int frames) {
    scene::Simulation simulation(scene::load_scene(scene_file, run.overrides), scene::parse_method(run.method));
    if (run.noise > 0) {
        Random random(1);
        physics::ClothState state = simulation.state();
        const std::vector<bool> pinned = simulation.model().pinned();
        for (long v = 0; v < state.positions.rows(); ++v)
            for (int i = 0; i < 3 && !pinned[static_cast<size_t>(v)]; ++i)
                state.positions(v, i) += random.uniform(-run.noise, run.noise);
        simulation.resume_from(std::move(state), simulation.memory());
    }
    std::vector<Positions> result;
    try {
        for (int f = 0; f < frames; ++f) {
            simulation.advance_frame();
            result.push_back(simulation.state().positions);
        }
    } catch (const physics::Divergence&) {
    }
    return result;
}

scene::Overrides taught_material() {
    scene::Overrides overrides = {"forces.drag=3"};
    for (const char* kind : {"stretch", "shear", "bend"}) {
        overrides.push_back(fmt::format("cloth.{}.stiffness=10000", kind));
        overrides.push_back(fmt::format("cloth.{}.damping=234.375", kind));
    }
    return overrides;
}

}  // namespace

int main(int argc, char** argv) {
    const bench::Options options = bench::parse_options(argc, argv);
    set_thread_count(2);
    Json rows = Json::array();
    const std::vector<int> moments = {8, 12, 16, 24, 32, 48, 64, 79};  // frames of 64 small steps
    fmt::print("{:<14} {:<14} {:>9}", "scene", "run", "largest %");
    for (const int moment : moments) fmt::print(" {:>8}", 64 * moment);
    fmt::print("\n");
    for (const std::string name : {"pinned-fall", "blow-up", "corner-breeze", "ball-drop"}) {
        if (name.find(options.only) == std::string::npos) continue;
        const std::filesystem::path file = std::filesystem::path(options.scenes) / (name + ".toml");
        const scene::Overrides material = name == "ball-drop" ? taught_material() : scene::Overrides{};
        scene::Overrides fewest = material;
        fewest.push_back("solver.mass_spring.steps_per_frame=48");
        const std::vector<Positions> truth = frames_of(file, {"", "mass_spring", material}, options.frames);
        for (const Run& run : {Run{"chaos floor", "mass_spring", material, 1e-10},
                               {"48 small steps", "mass_spring", fewest},
                               {"force_cell:4", "force_cell:4", material},
                               {"force_cell:8", "force_cell:8", material},
                               {"force_cell:16", "force_cell:16", material}}) {
            const std::vector<Positions> found = frames_of(file, run, options.frames);
            std::vector<double> percent;  // the cloth's side is 1 m but for a spacing
            for (size_t f = 0; f < std::min(found.size(), truth.size()); ++f)
                percent.push_back(100 * (found[f] - truth[f]).rowwise().norm().mean());
            const double largest = percent.empty() ? 0 : *std::max_element(percent.begin(), percent.end());
            fmt::print("{:<14} {:<14} {:>9.2g}", name, run.label, largest);
            for (const int moment : moments)
                if (static_cast<size_t>(moment) <= percent.size())
                    fmt::print(" {:>8.2g}", percent[static_cast<size_t>(moment) - 1]);
            fmt::print("\n");
            std::fflush(stdout);
            rows.push_back({{"scene", name}, {"run", run.label}, {"largest_percent", largest}, {"percent", percent}});
        }
    }
    bench::write_json(options, {{"rows", rows}});
}
