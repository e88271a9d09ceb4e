// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/live_source.h"
#include "tests/support/error_of.h"

#include <doctest/doctest.h>

using namespace tulle;

namespace {

view::LiveSource make_source() {
    return {scene::parse_scene(R"(
name = "small"
[time]
frame_rate = 50
frames = 10
[cloth]
kind = "grid"
rows = 3
columns = 3
height = 0.4
width = 0.4
mass = 0.002
)",
                               "the test's scene", "."),
            scene::parse_method("admm")};
}

}  // namespace

TEST_CASE("What a recording does not hold is not passed off as what was done") {
    view::LiveSource source = make_source();
    for (size_t i = 0; i < view::LiveSource::most_inputs; ++i) source.apply(live::ReleaseInput{0});
    CHECK(source.recording()->inputs.size() == view::LiveSource::most_inputs);
    source.apply(live::ReleaseInput{0});
    CHECK(test::error_of([&] { return source.recording(); }).find("restart") != std::string::npos);
    source.restart();
    CHECK(source.recording()->inputs.empty());
}
