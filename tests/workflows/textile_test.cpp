// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/textile.h"

#include "tests/support/near.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <numbers>

using namespace tulle;
using namespace tulle::workflows;

namespace {

const scene::Fabric& fabric(const std::string& name) {
    for (const scene::FabricPreset& preset : scene::fabric_presets())
        if (preset.name == name) return preset.fabric;
    throw Error("no fabric {}", name);
}

}  // namespace

TEST_CASE("The elastica is Peirce's strip at 41.5 degrees and the engineer's beam at small angles") {
    CHECK(elastica_stiffness(cantilever_angle) == test::near(1.0 / 8).epsilon(0.01));
    // A tip deflection of w ℓ⁴/(8 D) over a length of ℓ.
    const double small = 2 * std::numbers::pi / 180;
    CHECK(elastica_stiffness(small) == test::near(1 / (8 * std::tan(small))).epsilon(0.01));
}

TEST_CASE("The cantilever test finds the rigidity of every preset within 10 %") {
    for (const char* name : {"cotton", "silk", "denim"}) {
        CAPTURE(name);
        const CantileverResult strip = cantilever_test(fabric(name), 16);
        CHECK(strip.angle == test::near(cantilever_angle).epsilon(0.01));
        CHECK(strip.rigidity == test::near(fabric(name).bending).epsilon(0.1));
        CHECK(strip.exact_rigidity == test::near(fabric(name).bending).epsilon(0.03));
        CHECK(strip.rest_speed < 6e-4);
    }
}

TEST_CASE("A strip of twice the rigidity is found to have it") {
    scene::Fabric stiff = fabric("cotton");
    stiff.bending *= 2;
    CHECK(cantilever_test(stiff, 12).rigidity == test::near(2e-5).epsilon(0.1));
}

TEST_CASE("A shadow counts overlapping cloth once and does not see what is upright") {
    Positions square(4, 3);
    square << 0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0, 0.1, 0;
    Triangles halves(2, 3);
    halves << 0, 1, 2, 0, 2, 3;
    CHECK(shadow_area(square, halves) == test::near(0.01).epsilon(0.01));
    Positions folded = square;
    folded.row(3) = square.row(1) + Eigen::RowVector3d(0, 0, 0.001);  // the second half lies on the first
    CHECK(shadow_area(folded, halves) == test::near(0.005).epsilon(0.01));
    Positions upright = square;
    upright.col(2) = square.col(1);
    upright.col(1).setZero();
    CHECK(shadow_area(upright, halves) < 1e-4);
}

TEST_CASE("A disc cut along the threads has the area of its circle and is held where the plates are") {
    for (const double spacing : {0.01, 0.0061}) {
        const physics::ClothModel disc = disc_specimen(fabric("cotton"), {.spacing = spacing});
        const double area = geometry::triangle_areas(disc.mesh.positions, disc.mesh.triangles).sum();
        CHECK(area == test::near(std::numbers::pi * 0.15 * 0.15).epsilon(0.01));
        CHECK(disc.masses.sum() == test::near(0.15 * area));
        CHECK_NOTHROW(physics::check(disc));
        for (const int v : disc.pins.front().vertices) CHECK(disc.mesh.positions.row(v).norm() < 0.09 + spacing);
    }
}

TEST_CASE("Silk drapes more than cotton, cotton more than denim, and stiffness alone leaves the ring flat") {
    const auto coefficient = [](const scene::Fabric& cloth) {
        const DrapeResult drape = drape_test(cloth, {.spacing = 0.01});
        CHECK(drape.rest_speed < 1e-3);
        return drape.coefficient;
    };
    const double silk = coefficient(fabric("silk")), cotton = coefficient(fabric("cotton")),
                 denim = coefficient(fabric("denim"));
    CHECK(silk < cotton - 0.03);
    CHECK(cotton < denim - 0.1);
    CHECK(cotton > 0.45);
    CHECK(cotton < 0.7);
    scene::Fabric board = fabric("cotton");
    board.bending *= 1000;
    CHECK(coefficient(board) > 0.98);
}

TEST_CASE("The textile report has every fabric and every disc, refuses unknown ones, and can be stopped") {
    const TextileReport report = test_textiles({.fabrics = {"denim"}, .spacings = {0.015, 0.012}});
    const nlohmann::json figures = nlohmann::json::parse(to_json(report));
    REQUIRE(figures["fabrics"].size() == 1);
    CHECK(figures["fabrics"][0]["fabric"] == "denim");
    CHECK(figures["fabrics"][0]["drape"].size() == 2);
    CHECK(to_table(report).find("denim: 324 g/m²") != std::string::npos);
    CHECK_THROWS_WITH(static_cast<void>(test_textiles({.fabrics = {"denin"}})),
                      "there is no fabric 'denin'; the fabrics are cotton, silk, denim, rubber");
    int steps = 0;
    const TextileReport stopped =
        test_textiles({.fabrics = {"silk"}, .on_step = [&](const std::string&, double) { return ++steps < 5; }});
    CHECK(stopped.stopped);
    CHECK(steps == 5);
}
