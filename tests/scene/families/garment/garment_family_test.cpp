// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/garment_family.h"
#include "tests/methods/garment/dressed.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/io/obj.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/garment/worn_garment.h"
#include "tulle/scene/simulation.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;
using test::contains;
using test::error_of;

namespace {

// A coarse shirt on the scene's mannequin, and a model of it beside the scene, in a folder of their own.
struct Wardrobe {
    test::TemporaryFolder folder;

    Wardrobe() {
        std::filesystem::create_directories(folder / "scenes");
        std::filesystem::create_directories(folder / "models");
        io::write_obj(folder / "scenes/shirt.obj", methods::test::worn_shirt());
        io::write_obj(folder / "scenes/rest.obj", methods::test::shirt_at_rest());
        const Scene plain = scene();
        const MovingBody body(wearer(plain));
        methods::GarmentModel network = methods::test::random_garment(worn_garment(plain, body), body.character());
        network.projection.quasistatics = {.tolerance = 1e-3};
        methods::save_garment(folder / "models/garment-shirt.safetensors", network);
    }

    Scene scene(const std::string& body = "", const std::string& others = "") const {
        const std::string text =
            "[garment]\nfile = \"shirt.obj\"\nrest = \"rest.obj\"\n[cloth]\nfabric = \"cotton\"\n[body]\n" + body +
            "[body.pose]\nleft_shoulder = [40, 10, 0]\nwaist = [10, 5, 10]\n" + others;
        return parse_scene(text, "shirt.toml", folder / "scenes");
    }
};

Positions after_two_frames(Simulation simulation) {
    simulation.advance_frame();
    simulation.advance_frame();
    return simulation.state().positions;
}

const Method whole = {.name = "garment", .variant = {}}, network_alone = {.name = "garment", .variant = "network"};

}  // namespace

TEST_CASE("A scene with a garment is dressed by the weights of its file, with the projection they were trained with") {
    const Wardrobe wardrobe;
    Simulation simulation(wardrobe.scene(), whole);
    CHECK(simulation.steps_per_frame() == 1);
    const physics::StepReport report = simulation.advance_frame();
    CHECK(report.counters.of("poses_outside") == 0);
    CHECK(report.iterations > 0);
    CHECK(simulation.state().time == doctest::Approx(0.04));
    const Positions projected = after_two_frames({wardrobe.scene(), whole});
    const Positions plain = after_two_frames({wardrobe.scene(), network_alone});
    CHECK(projected != plain);
    CHECK((projected - plain).rowwise().norm().maxCoeff() < 0.2);
}

TEST_CASE("A body that is turned and moved in its scene takes its garment along") {
    const Wardrobe wardrobe;
    const Positions plain = after_two_frames({wardrobe.scene(), network_alone});
    const Positions placed = after_two_frames(
        {wardrobe.scene("translation = [1, 2, 0]\nrotation = { axis = [0, 0, 1], angle_degrees = 90 }\n"),
         network_alone});
    const Matrix3 turn = Eigen::AngleAxisd(std::acos(0.0), Vector3::UnitZ()).toRotationMatrix();
    const Positions expected = (plain * turn.transpose()).rowwise() + Eigen::RowVector3d(1, 2, 0);
    CHECK((placed - expected).cwiseAbs().maxCoeff() < 1e-9);
    const Positions larger = after_two_frames({wardrobe.scene("scale = 2\n"), network_alone});
    CHECK((larger - 2 * plain).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("A garment is pushed out of the body when the scene asks for it, and the report counts it") {
    const Wardrobe wardrobe;
    Simulation pushed(wardrobe.scene("", "[solver.garment]\npush_out = true\n"), network_alone);
    const physics::StepReport report = pushed.advance_frame();
    CHECK(report.counters.of("pushed_out_vertices") > 0);
    const collision::PlacedCollider body(pushed.world().colliders->front(), pushed.state().time);
    for (const auto& x : pushed.state().positions.rowwise()) CHECK(body.shape().distance(Vector3(x)) > 0);
}

TEST_CASE("What cannot be dressed is refused in one sentence") {
    const Wardrobe wardrobe;
    const auto refusal = [](const Scene& scene) { return error_of([&] { (void)Simulation(scene, whole); }); };
    CHECK(contains(refusal(parse_scene("[cloth]\nmass = 1\n", "flag.toml", ".")), "no [garment]"));
    CHECK(contains(error_of([] { (void)parse_method("garment:paper"); }), "garment:network"));
    CHECK(contains(error_of([&] { (void)wardrobe.scene("", "[solver.garment]\nweights = \"gone\"\n"); }), "gone"));
    CHECK(contains(error_of([&] { (void)wardrobe.scene("", "[solver.garment]\ntolerance = 0\n"); }), "tolerance"));
    std::filesystem::remove(wardrobe.folder / "models/garment-shirt.safetensors");
    CHECK(contains(refusal(wardrobe.scene()), "garment-shirt.safetensors"));
}
