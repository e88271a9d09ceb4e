// SPDX-License-Identifier: Apache-2.0
// Garments in scenes.
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/io/obj.h"
#include "tulle/methods/garment/sewing_pattern.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;
using test::contains;

namespace {

// A folder with the rest shape of a coarse skirt, the same lifted and widened as it is worn, and one without a pattern.
struct Wardrobe {
    test::TemporaryFolder folder;
    geometry::TriangleMesh rest = methods::rest_shape(methods::sew(methods::skirt_pattern(), 0.06));
    geometry::TriangleMesh worn = rest;

    Wardrobe() {
        worn.positions.col(1) *= 30;
        worn.positions.col(2).array() += 0.1;
        geometry::TriangleMesh bare = worn;
        bare.tex_coords.resize(0, 2);
        io::write_obj(folder / "rest.obj", rest);
        io::write_obj(folder / "worn.obj", worn);
        io::write_obj(folder / "bare.obj", bare);
    }
    Scene scene(const std::string& text) const { return parse_scene(text, "x.toml", folder.path()); }
    std::string error(const std::string& text) const {
        return test::error_of([&] { (void)make_model(scene(text)); });
    }
};

const std::string cloth_and_body = "[cloth]\nfabric = \"silk\"\n[body]\n";

}  // namespace

TEST_CASE("A garment starts as it is worn, has the rest lengths of its pattern and its texture coordinates") {
    const Wardrobe wardrobe;
    const physics::ClothModel model =
        make_model(wardrobe.scene(cloth_and_body + "[garment]\nfile = \"worn.obj\"\nrest = \"rest.obj\"\n"));
    CHECK(model.start_positions == wardrobe.worn.positions);
    CHECK(model.mesh.positions == wardrobe.rest.positions);
    CHECK(model.mesh.tex_coords == wardrobe.rest.tex_coords);
    const int a = model.springs.edges(0, 0), b = model.springs.edges(0, 1);
    CHECK(model.springs.rest_lengths(0) ==
          test::near((wardrobe.rest.positions.row(a) - wardrobe.rest.positions.row(b)).norm()));
}

TEST_CASE("A garment of one file rests as it is worn") {
    const Wardrobe wardrobe;
    const physics::ClothModel model = make_model(wardrobe.scene(cloth_and_body + "[garment]\nfile = \"worn.obj\"\n"));
    CHECK(model.mesh.positions == wardrobe.worn.positions);
    CHECK(model.start_positions == wardrobe.worn.positions);
    CHECK(make_world(wardrobe.scene(cloth_and_body + "[garment]\nfile = \"worn.obj\"\n")).colliders->size() == 1);
}

TEST_CASE("A garment is scaled, turned and moved with its body, and its rest lengths grow with it") {
    const Wardrobe wardrobe;
    const physics::ClothModel model = make_model(wardrobe.scene(
        cloth_and_body +
        "scale = 2\ntranslation = [1, 2, 3]\nrotation = { axis = [0, 0, 1], angle_degrees = 180 }\n[garment]\nfile = "
        "\"worn.obj\"\nrest = \"rest.obj\"\n"));
    const Positions expected =
        (wardrobe.worn.positions * Eigen::Vector3d(-2, -2, 2).asDiagonal()).rowwise() + Eigen::RowVector3d(1, 2, 3);
    CHECK((model.start_positions - expected).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(model.mesh.positions == 2 * wardrobe.rest.positions);
}

TEST_CASE("What is wrong with a garment is said in one sentence") {
    const Wardrobe wardrobe;
    const std::string garment = "[garment]\nfile = \"worn.obj\"\n";
    CHECK(contains(wardrobe.error("[cloth]\nfabric = \"silk\"\n" + garment), "needs a [body]"));
    CHECK(contains(wardrobe.error(cloth_and_body + "[garment]\nfile = \"bare.obj\"\n"), "no texture coordinates"));
    CHECK(contains(wardrobe.error(cloth_and_body + "[garment]\nfile = \"gone.obj\"\n"), "gone.obj"));
    CHECK(contains(wardrobe.error("[cloth]\nkind = \"mesh\"\nfabric = \"silk\"\n[body]\n" + garment), "[garment]"));
    CHECK(contains(wardrobe.error(cloth_and_body + garment + "colour = \"red\"\n"), "colour"));
    io::write_obj(wardrobe.folder / "other.obj", methods::rest_shape(methods::sew(methods::skirt_pattern(), 0.08)));
    CHECK(contains(wardrobe.error(cloth_and_body + garment + "rest = \"other.obj\"\n"), "vertices"));
}
