// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/stage.h"
#include "tests/support/error_of.h"

#include <doctest/doctest.h>

using namespace tulle;
using view::prepare;

namespace {

const std::filesystem::path twist = std::filesystem::path(TULLE_SOURCE_DIR) / "scenes/twist.toml";  // cannot be halved

}  // namespace

TEST_CASE("A scene goes without the methods that do not fit it, and says which") {
    const view::PreparedStage stage =
        prepare({.scene = twist, .methods = {"hierarchy", "admm"}, .leaves_out_misfits = true});
    CHECK(stage.plan.methods == std::vector<std::string>{"admm"});
    CHECK(stage.panels.size() == 1);
    CHECK(test::contains(stage.note, "hierarchy is left out here"));
    CHECK(test::contains(test::error_of([] {
                             prepare({.scene = twist, .methods = {"hierarchy", "admm"}});
                         }),
                         "coarser"));
}

TEST_CASE("A scene that none of the methods fits is run by its own") {
    const view::PreparedStage stage = prepare({.scene = twist, .methods = {"garment"}, .leaves_out_misfits = true});
    CHECK(stage.plan.methods == std::vector<std::string>{"admm"});
    CHECK(test::contains(stage.note, "garment"));
}
