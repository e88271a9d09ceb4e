// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/simulate_coarse.h"

#include "tulle/geometry/miniature.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/upscaling/stiffness_of.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;

namespace {

const std::string swinging = R"(
name = "swinging"
[cloth]
rows = 9
columns = 13
width = 1.2
height = 0.8
along_rows = [0, 1, 0]
mass = 0.002
[[pins]]
row = "first"
)";

datasets::Sequence full_sequence(int frames) {
    const Scene scene = parse_scene(swinging, "swinging.toml", ".");
    Simulation simulation(scene, parse_method("admm"));
    datasets::Sequence sequence{.name = "full",
                                .scene_name = scene.name,
                                .scene_text = scene.text,
                                .scene_folder = ".",
                                .mesh = simulation.model().mesh,
                                .grid = *simulation.model().grid,
                                .frame_time = scene.time.frame_time()};
    for (int f = 0; f <= frames; ++f) {
        if (f > 0) simulation.advance_frame();
        for (const double number : simulation.state().positions.reshaped<Eigen::RowMajor>())
            sequence.positions.push_back(static_cast<float>(number));
    }
    return sequence;
}

double distance(const datasets::Sequence& coarse, const datasets::Sequence& full, long frame) {
    const std::vector<int> vertices = geometry::make_miniature(full.grid, 2).fine_vertices();
    double worst = 0;
    for (size_t v = 0; v < vertices.size(); ++v)
        for (int axis = 0; axis < 3; ++axis)
            worst = std::max<double>(worst, std::abs(coarse.frame(frame)[3 * v + static_cast<size_t>(axis)] -
                                                     full.frame(frame)[3 * vertices[v] + axis]));
    return worst;
}

}  // namespace

TEST_CASE("A simulated coarse cloth leaves the full one and is set back to it") {
    const datasets::Sequence full = full_sequence(12);
    const datasets::Sequence coarse = simulate_coarse(full, {.factor = 2}, 4);
    REQUIRE(coarse.frame_count() == 13);
    CHECK(coarse.grid == geometry::GridSize{5, 7});
    for (const long f : {0L, 4L, 8L, 12L}) CHECK(distance(coarse, full, f) == 0);
    for (const long f : {3L, 7L, 11L}) {
        CHECK(distance(coarse, full, f) > 1e-5);
        CHECK(distance(coarse, full, f) < 0.1);  // it goes on with the full one's velocity
    }
}

TEST_CASE("A network is told the same of a cloth and of the similar coarse one") {
    for (const char* material : {"mass = 0.002", "fabric = \"denim\""}) {
        CAPTURE(material);
        std::string text = swinging;
        text.replace(text.find("mass = 0.002"), 12, material);
        const Scene scene = parse_scene(text, "swinging.toml", ".");
        const physics::ClothModel model = make_model(scene);
        const CoarseScene coarse = coarsen(scene, model, {.factor = 4});
        const methods::Stiffness a = stiffness_of(scene, model.mesh);
        const methods::Stiffness b = stiffness_of(coarse.scene, make_model(coarse.scene).mesh);
        CHECK(a.stretch > 0);
        CHECK(a.density > 0);
        CHECK(a.bending + a.folding > 0);
        CHECK(b.stretch == doctest::Approx(a.stretch));
        CHECK(b.bending == doctest::Approx(a.bending));
        CHECK(b.folding == doctest::Approx(a.folding));
        CHECK(b.density == doctest::Approx(a.density));
    }
}
