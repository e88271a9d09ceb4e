// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/ablation.h"

#include "tulle/geometry/miniature.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

namespace tulle::workflows {

namespace {

// A small flag with the weights of the large one.
scene::Scene small_flag(const scene::Overrides& more = {}) {
    scene::Overrides overrides = {"cloth.rows=13", "cloth.columns=19", "cloth.mass=0.008"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return scene::load_scene(TULLE_SOURCE_DIR "/scenes/flag.toml", overrides);
}

// Where the shown cloth has its coarse vertices after some frames.
Positions coarse_places(const scene::Scene& scene, const std::string& method) {
    scene::Simulation simulation(scene, scene::parse_method(method));
    for (int frame = 0; frame < 10; ++frame) (void)simulation.advance_frame();
    return geometry::sample(geometry::make_miniature({13, 19}, 2).fine_vertices(), simulation.state().positions);
}

}  // namespace

TEST_CASE("An ablation shows each of its coarse cloths by three upscalings, to the same bits") {
    const Ablation ablation = ablation_of(small_flag(), "miniature");
    CHECK(ablation.left_out.empty());
    REQUIRE(ablation.methods.size() == 6);
    std::vector<Positions> places;
    for (const std::string& method : ablation.methods) places.push_back(coarse_places(ablation.scene, method));
    // Pins between the coarse vertices do not move any of these.
    for (size_t row : {1u, 2u}) {
        CHECK(places[row] == places[0]);
        CHECK(places[3 + row] == places[3]);
    }
    CHECK((places[0] - places[3]).norm() > 1e-3);
}

TEST_CASE("An ablation by the hierarchy has its factor in every row") {
    const Ablation ablation = ablation_of(small_flag(), "hierarchy");
    CHECK(ablation.scene.upscaling.factor == 4);
    CHECK(ablation.methods.back() == "hierarchy:calibrated");
}

TEST_CASE("Where nothing is calibrated the ablation has no such rows and says why") {
    const Ablation ablation = ablation_of(small_flag({"name='another'"}), "miniature");
    CHECK(ablation.methods ==
          std::vector<std::string>{"bilinear:similarity", "bicubic:similarity", "miniature:similarity"});
    CHECK(ablation.left_out.find("nothing is calibrated for 'another'") != std::string::npos);
}

}  // namespace tulle::workflows
