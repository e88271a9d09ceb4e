// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sense.h"

#include "tulle/scene/build.h"

#include <doctest/doctest.h>

#include <filesystem>

using namespace tulle;
using namespace tulle::scene;

TEST_CASE("A cloth that is pulled out four times as long makes sense, one edge of 21 times or many of 6 do not") {
    const Scene scene = load_scene(std::filesystem::path(TULLE_SOURCE_DIR) / "scenes/flag-small.toml");
    const physics::ClothModel model = make_model(scene);
    physics::ClothState state = initial_state(scene, model);
    const Positions start = state.positions;
    CHECK_NOTHROW(require_sensible_stretch(model, state));
    state.positions = 4 * start;
    CHECK_NOTHROW(require_sensible_stretch(model, state));
    state.positions = 6 * start;
    CHECK_THROWS_AS(require_sensible_stretch(model, state), LeftSense);
    state.positions = start;
    const double edge = (start.row(0) - start.row(1)).norm();
    state.positions.row(0) += 10 * edge * Eigen::RowVector3d(0, 1, 0);
    CHECK_NOTHROW(require_sensible_stretch(model, state));
    state.positions.row(0) += 12 * edge * Eigen::RowVector3d(0, 1, 0);
    CHECK_THROWS_WITH_AS(require_sensible_stretch(model, state), doctest::Contains("times as long as at rest"),
                         LeftSense);
}
