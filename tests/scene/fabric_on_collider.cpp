// SPDX-License-Identifier: Apache-2.0
// Real fabrics on a solid, by `admm` as a scene gets it without any settings.
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace tulle;

namespace {

// 60 cm of cloth fall on a box of 25 cm, in still air.
scene::Simulation over_a_box(const std::string& fabric, const std::string& solver = "") {
    const std::string text = fmt::format(R"(
[time]
frame_rate = 50
[cloth]
rows = 21
columns = 21
height = 0.6
width = 0.6
origin = [-0.3, 0.3, 0.53]
along_columns = [1, 0, 0]
along_rows = [0, -1, 0]
fabric = "{}"
noise = 0.0005
[wind]
velocity = [0, 0, 0]
normal = 0.5
tangential = 0.05
[[colliders]]
shape = "box"
center = [0, 0, 0.25]
size = [0.25, 0.25, 0.5]
friction = 0.4
[self_contact]
enabled = true
{})",
                                         fabric, solver);
    return {scene::parse_scene(text, "test", "."), scene::parse_method("admm")};
}

std::vector<double> sorted_strains(const scene::Simulation& simulation) {
    const physics::Springs& springs = simulation.model().springs;
    const Positions& x = simulation.state().positions;
    std::vector<double> strains;
    for (long e = 0; e < springs.count(); ++e)
        strains.push_back((x.row(springs.edges(e, 0)) - x.row(springs.edges(e, 1))).norm() / springs.rest_lengths(e) -
                          1);
    std::sort(strains.begin(), strains.end());
    return strains;
}

}  // namespace

TEST_CASE("Cotton, silk and denim that fall on a sharp box hardly stretch, and come to rest") {
    for (const char* fabric : {"cotton", "silk", "denim"}) {
        CAPTURE(fabric);
        scene::Simulation cloth = over_a_box(fabric);
        double worst = 0;
        std::array<Positions, 3> last;  // frames
        for (int frame = 0; frame < 500; ++frame) {
            static_cast<void>(cloth.advance_frame());
            last = {last[1], last[2], cloth.state().positions};
            worst = std::max(worst, sorted_strains(cloth).back());
        }
        const std::vector<double> strains = sorted_strains(cloth);
        CHECK(worst < 0.25);
        CHECK(strains.back() < 0.1);
        CHECK(strains[strains.size() * 99 / 100] < 0.01);
        CHECK(cloth.state().velocities.rowwise().norm().mean() < 0.002);
        CHECK((last[0] - 2 * last[1] + last[2]).rowwise().norm().mean() < 2e-5);
        CHECK(cloth.state().positions.col(2).maxCoeff() > 0.5);  // it still lies there
    }
}

TEST_CASE("A run of a fabric on a collider that is continued from one of its frames has the same bits") {
    scene::Simulation whole = over_a_box("cotton");
    for (int frame = 0; frame < 15; ++frame) static_cast<void>(whole.advance_frame());
    scene::Simulation rest = over_a_box("cotton");
    rest.resume_from(whole.state(), whole.memory());
    for (int frame = 0; frame < 3; ++frame) {
        static_cast<void>(whole.advance_frame());
        static_cast<void>(rest.advance_frame());
    }
    CHECK(rest.state().positions == whole.state().positions);
    CHECK(rest.state().velocities == whole.state().velocities);
}

TEST_CASE("A fabric on a collider moves in the fast kernel as in its plain twin") {
    scene::Simulation fast = over_a_box("cotton");
    scene::Simulation plain = over_a_box("cotton", "[solver.admm]\nreference = true\n");
    for (int frame = 0; frame < 6; ++frame) {
        static_cast<void>(fast.advance_frame());
        static_cast<void>(plain.advance_frame());
        CAPTURE(frame);
        CHECK((fast.state().positions - plain.state().positions).rowwise().norm().maxCoeff() < 1e-3);
    }
    CHECK(fast.state().positions.col(2).minCoeff() < 0.5);  // they have met the box
}
