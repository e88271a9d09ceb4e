// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/strain.h"
#include "tests/support/near.h"

#include "tests/render/support.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::render;

TEST_CASE("Strain is the largest stretch of the edges around a vertex, and nothing where they shrink") {
    const geometry::TriangleMesh cloth = hanging_square();
    const EdgeStrain strain(cloth);
    Positions wider = cloth.positions;
    wider.col(0) *= 1.05;
    const VectorX stretched = strain.at_vertices(wider);
    CHECK(stretched.minCoeff() == test::near(0.05));
    CHECK(stretched.maxCoeff() == test::near(0.05));
    CHECK(strain.at_vertices(0.5 * cloth.positions).maxCoeff() == 0);
}

TEST_CASE("Signed strain is that of the edge that differs most from its rest length") {
    const geometry::TriangleMesh cloth = hanging_square();
    const EdgeStrain strain(cloth);
    Positions changed = cloth.positions;
    changed.col(0) *= 1.05;
    changed.col(2) *= 0.8;
    const VectorX values = strain.signed_at_vertices(changed);
    CHECK(values.minCoeff() == test::near(-0.2));
    CHECK(values.maxCoeff() == test::near(-0.2));
    CHECK(strain.signed_at_vertices(1.1 * cloth.positions).minCoeff() == test::near(0.1));
    CHECK(strain.signed_at_vertices(cloth.positions).cwiseAbs().maxCoeff() == 0);
}

TEST_CASE("A survey remembers the largest strain and speed and all places of the motion") {
    const Panel panel = panel_of(hanging_square());
    Survey survey({panel});
    PanelFrame frame = at_rest(panel);
    survey.add({frame});
    frame.positions.col(0) *= 1.1;
    frame.velocities.col(1).setConstant(2.5);
    survey.add({frame});
    frame.positions = panel.cloth.positions.rowwise() + Eigen::RowVector3d(0, 3, 0);
    frame.velocities.setZero();
    survey.add({frame});
    CHECK(survey.largest_strain() == test::near(0.1));
    CHECK(survey.largest_speed() == test::near(2.5));
    CHECK(survey.cloth().high().isApprox(Vector3(0.55, 3, 2)));
    CHECK(survey.cloth().low().isApprox(Vector3(-0.55, 0, 1)));
}

TEST_CASE("Colour scales end at short numbers") {
    CHECK(rounded_up(0.37) == test::near(0.4));
    CHECK(rounded_up(12.1) == test::near(20));
    CHECK(rounded_up(80) == test::near(80));
    CHECK(rounded_up(9.5) == test::near(10));
    CHECK(rounded_up(0) == 1);
}
