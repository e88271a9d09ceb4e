// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/draped_lessons.h"

#include "tests/support/error_of.h"
#include "tulle/methods/garment/pattern_mirror.h"
#include "tulle/scene/build.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::scene;

namespace {

constexpr const char* text = R"(
[garment]
file = "meshes/t-shirt.obj"
rest = "meshes/t-shirt-pattern.obj"
[cloth]
fabric = "cotton"
[body]
)";

// The T-shirt as it lies on the body at rest, with a dent on its left, on a body in another pose.
datasets::DrapedExample dented(const std::vector<body::NamedAngles>& angles, const std::string& placed = "",
                               const Vector3& moved = Vector3::Zero()) {
    datasets::DrapedExample example{
        .name = "dented", .drape = {.scene = text + placed}, .scene_folder = TULLE_SOURCE_DIR "/scenes"};
    example.drape.angles = angles;
    Positions worn = make_model(parse_scene(text, "dented", example.scene_folder)).start_positions;
    for (long v = 0; v < worn.rows(); ++v) worn(v, 1) -= 0.02 * std::exp(-100 * std::pow(worn(v, 0) - 0.1, 2));
    example.drape.positions = (worn.rowwise() + moved.transpose()).cast<float>();
    return example;
}

std::vector<body::NamedAngles> reaching() {
    return {{"waist", {0.1, 0.1, -0.1}}, {"left_shoulder", {0.6, -0.2, 0.3}}, {"right_shoulder", {0.1, 0.5, 0}}};
}

Positions in_double(const Rows<float, 3>& rows) { return rows.cast<double>(); }

}  // namespace

TEST_CASE("A mirrored example is the garment as a mirror shows it, on a body in the pose that the mirror shows") {
    for (const auto& [placed, moved] :
         {std::pair{"", Vector3(0, 0, 0)}, std::pair{"translation = [2, 1, 0]\n", Vector3(2, 1, 0)}}) {
        const datasets::DrapedExample drape = dented(reaching(), placed, moved);
        const DrapedLessons lessons(drape);
        const auto rotations = methods::JointRotations::FromRoot;
        const methods::GarmentExample plain = lessons.example(drape, rotations);
        const methods::GarmentExample seen = lessons.mirrored_examples({drape}, {0}, rotations).front();
        datasets::DrapedExample turned = drape;
        turned.drape.angles = {
            {"waist", {0.1, -0.1, 0.1}}, {"left_shoulder", {0.1, 0.5, 0}}, {"right_shoulder", {0.6, -0.2, 0.3}}};
        CHECK(seen.inputs == lessons.example(turned, rotations).inputs);
        const methods::PatternMirror mirror(lessons.worn().tex_coords, lessons.worn().triangles);
        CHECK((in_double(seen.positions) - mirror.mirrored(in_double(plain.positions))).cwiseAbs().maxCoeff() < 1e-5);
        // The skinned places too, as nearly as the body's mesh, and the garment draped on it at rest, are symmetric.
        CHECK((in_double(seen.places) - mirror.mirrored(in_double(plain.places))).rowwise().norm().mean() < 0.006);
        CHECK((in_double(seen.places) - in_double(plain.places)).rowwise().norm().mean() > 0.01);
    }
}

TEST_CASE("Poses of one arm alone have no mirror image") {
    const datasets::DrapedExample drape = dented({{"left_shoulder", {0.6, -0.2, 0.3}}});
    const DrapedLessons lessons(drape);
    CHECK(test::contains(
        test::error_of([&] { (void)lessons.mirrored_examples({drape}, {0}, methods::JointRotations::FromRoot); }),
        "right_shoulder"));
}
