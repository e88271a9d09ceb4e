// SPDX-License-Identifier: Apache-2.0
// The shipped cells of larger steps.
#include "tests/support/error_of.h"
#include "tulle/scene/build.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tulle;
using namespace tulle::scene;
using test::contains;
using test::error_of;

namespace {

const std::filesystem::path scenes = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes";

// A quarter of a scene's cloth, of the same spacing and material.
Scene quarter(const std::string& name, Overrides more = {}) {
    Overrides overrides = {"cloth.rows=64", "cloth.columns=64", "cloth.width=0.4921875", "cloth.height=0.4921875"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return load_scene(scenes / (name + ".toml"), overrides);
}

Positions after(const Scene& scene, const std::string& method, int frames) {
    Simulation simulation(scene, parse_method(method));
    for (int f = 0; f < frames; ++f) static_cast<void>(simulation.advance_frame());
    return simulation.state().positions;
}

}  // namespace

TEST_CASE("Larger steps stay near physics, and nearer the fewer small ones they take at once") {
    for (const std::string name : {"pinned-fall", "blow-up"}) {
        CAPTURE(name);
        const Scene scene = quarter(name);
        const Positions truth = after(scene, "mass_spring", 20);
        const auto error = [&](const std::string& method) {
            return (after(scene, method, 20) - truth).rowwise().norm().mean();
        };
        CHECK((truth - make_model(scene).start_positions).rowwise().norm().mean() > 0.01);
        CHECK(error("force_cell:8") < 2e-3);
        CHECK(error("force_cell:4") < error("force_cell:8"));
        CHECK(error("force_cell:8") < error("force_cell:16"));
    }
}

TEST_CASE("Larger steps stay stable where the cloth hangs by a corner and stretches many times over") {
    const Scene scene = quarter("corner-breeze");
    for (const std::string method : {"force_cell:4", "force_cell:8", "force_cell:16"}) {
        CAPTURE(method);
        const Positions positions = after(scene, method, 60);
        CHECK(positions.cwiseAbs().maxCoeff() < 2);
        CHECK(positions.col(1).minCoeff() < -0.3);
    }
}

TEST_CASE("How many small steps are taken at once is what follows the colon") {
    CHECK(parse_method("force_cell:8").to_string() == "force_cell:8");
    CHECK(parse_method("force_cell:08").to_string() == "force_cell:8");
    for (const char* wrong : {"force_cell:1", "force_cell:x", "force_cell:8x", "force_cell:-4", "force_cell:65"})
        CHECK(contains(error_of([&] { parse_method(wrong); }), "how many small steps are taken at once"));
    const Scene scene = quarter("pinned-fall");
    const auto steps = [&](const char* method) {
        return steps_per_frame(scene, make_model(scene), parse_method(method));
    };
    CHECK(steps("force_cell") == 64);
    CHECK(steps("force_cell:8") == 8);
    CHECK(steps("force_cell:16") == 4);
    CHECK(contains(error_of([&] { steps("force_cell:6"); }), "do not divide the 64 small steps of a frame"));
}

TEST_CASE("Larger steps are refused at another step, at a stiffer material, and with weights of other steps") {
    const auto refusal = [](const Scene& scene, const char* method) {
        return error_of([&] { Simulation(scene, parse_method(method)); });
    };
    CHECK(contains(refusal(quarter("pinned-fall", {"solver.mass_spring.steps_per_frame=128"}), "force_cell:8"),
                   "were learnt as steps of"));
    CHECK(contains(refusal(quarter("ball-drop"), "force_cell:8"), "would not be stable on this cloth"));
    const auto with = [](const std::string& file) {
        const std::string path = (std::filesystem::path(TULLE_SOURCE_DIR) / "models" / file).string();
        return quarter("pinned-fall", {"solver.force_cell.weights='" + path + "'"});
    };
    CHECK(contains(refusal(with("force-cell-k4.safetensors"), "force_cell:8"),
                   "takes 4 steps at once; call it force_cell:4"));
    CHECK(contains(refusal(with("force-cell-k4.safetensors"), "force_cell"),
                   "takes 4 steps at once; call it force_cell:4"));
    CHECK(
        contains(refusal(with("force-cell.safetensors"), "force_cell:8"), "takes 1 step at once; call it force_cell"));
}
