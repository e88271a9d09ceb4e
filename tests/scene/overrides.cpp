// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

using namespace tulle;

namespace {

const std::string ball = R"(
[cloth]
mass = 0.001
[[pins]]
row = "first"
every = 6
[[colliders]]
shape = "sphere"
center = [0, 0, 0]
radius = 0.5
)";

scene::Scene parse(const scene::Overrides& overrides) { return scene::parse_scene(ball, "ball.toml", ".", overrides); }

double radius(const scene::Scene& scene) { return std::get<scene::SphereShape>(scene.colliders[0].shape).radius; }

std::string message(const scene::Overrides& overrides) {
    try {
        parse(overrides);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("Without overrides a scene keeps its text to the letter") { CHECK(parse({}).text == ball); }

TEST_CASE("An override replaces a value, adds a section, reaches into lists, and takes bare words as text") {
    const scene::Scene scene =
        parse({"cloth.rows=33", "wind.velocity=[6,2,0]", "colliders.0.radius=0.3", "pins.0.every=4",
               "colliders.0.center.2=7", "method=xpbd:5", "cloth.stretch.stiffness = 70.5"});
    CHECK(std::get<scene::GridShape>(scene.cloth.shape).size.rows == 33);
    REQUIRE(scene.wind);
    CHECK(scene.wind->velocity == Vector3(6, 2, 0));
    CHECK(radius(scene) == 0.3);
    CHECK(std::get<scene::SphereShape>(scene.colliders[0].shape).center == Vector3(0, 0, 7));
    CHECK(std::get<scene::RowOrColumn>(scene.pins[0].selection).every == 4);
    CHECK(scene.method == "xpbd:5");
    CHECK(std::get<physics::GridMaterial>(scene.cloth.material).stretch.stiffness == 70.5);
}

TEST_CASE("The last of several overrides of one key wins") {
    CHECK(radius(parse({"colliders.0.radius=0.3", "colliders.0.radius=0.2"})) == 0.2);
}

TEST_CASE("The text of an overridden scene gives the same scene again, to the last bit") {
    const scene::Scene first =
        parse({"colliders.0.radius=0.1234567890123456789", "wind.velocity=[1e-3,2,3.3333333333333335]",
               "forces.drag=0.1", "colliders.0.name=ball"});
    const scene::Scene again = scene::parse_scene(first.text, "ball.toml", ".");
    CHECK(radius(again) == radius(first));
    CHECK(again.wind->velocity == first.wind->velocity);
    CHECK(again.drag == first.drag);
    CHECK(again.colliders[0].name == "ball");
    CHECK(again.text == first.text);
}

TEST_CASE("A wrong override is named with its text instead of a line of the file") {
    CHECK(message({"cloth.rowz=3"}) == "--set cloth.rowz=3: unknown key 'rowz' in [cloth]; did you mean 'rows'?");
    CHECK(message({"cloth.rows=-3"}) == "--set cloth.rows=-3: 'rows' in [cloth] must be at least 2, not -3");
    CHECK(message({"clth.rows=3"}) == "--set clth.rows=3: unknown key 'clth' in the file; did you mean 'cloth'?");
    CHECK(message({"cloth.rows=many"}) ==
          "--set cloth.rows=many: 'rows' in [cloth] must be a whole number, not the text \"many\"");
    CHECK(message({"wind.velocity=[6,2]"})
              .starts_with("--set wind.velocity=[6,2]: 'velocity' in [wind] must be a list of three"));
    CHECK(message({"colliders.1.radius=3"}) ==
          "--set colliders.1.radius=3: there is no element 1; the list has 1, counted from 0");
    CHECK(message({"colliders.first.radius=3"}).find("'first' is not the number of a list element") !=
          std::string::npos);
    CHECK(message({"cloth.rows"}).starts_with("--set cloth.rows: expected key=value"));
    CHECK(message({"=3"}).starts_with("--set =3: expected key=value"));
    CHECK(message({"cloth.rows=[1,"}).starts_with("--set cloth.rows=[1,: '[1,' is not a TOML value"));
    CHECK(message({"cloth.rows=3\nseed=2"}).find("expected one line") != std::string::npos);
}
