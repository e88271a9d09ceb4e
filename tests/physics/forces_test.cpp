// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/forces/pressure.h"
#include "tulle/physics/forces/wind.h"

#include <doctest/doctest.h>

#include <Eigen/Geometry>

using namespace tulle;
using namespace tulle::physics;

namespace {

Forces force_of(const Force& force, const ClothState& state) {
    Forces forces = Forces::Zero(state.positions.rows(), 3);
    force.add_to(forces, state);
    return forces;
}

Vector3 total(const Forces& forces) { return forces.colwise().sum(); }

constexpr double cloth_area = 0.4 * 0.6;  // of the default grid [m²]

}  // namespace

TEST_CASE("Gravity pulls with the weight of every particle") {
    const ClothModel model = test::grid_cloth();
    const Forces forces = force_of(Gravity(model, {0, 0, -9.81}), test::at_rest(model));
    CHECK(forces(5, 2) == test::near(-2e-3 * 9.81));
    CHECK(forces.leftCols(2).norm() == 0);
}

TEST_CASE("Wind across the cloth pushes with its normal coefficient, wind along it with the tangential one") {
    const ClothModel model = test::grid_cloth();
    const WindSettings across{.velocity = {0, 0, 3}, .normal = 2, .tangential = 0.5};
    const WindSettings along{.velocity = {3, 0, 0}, .normal = 2, .tangential = 0.5};
    CHECK((total(force_of(Wind(model, across), test::at_rest(model))) - Vector3(0, 0, 2 * cloth_area * 3)).norm() <
          1e-12);
    CHECK((total(force_of(Wind(model, along), test::at_rest(model))) - Vector3(0.5 * cloth_area * 3, 0, 0)).norm() <
          1e-12);
}

TEST_CASE("A cloth that moves with the wind feels none, and one that moves through still air is held back") {
    const ClothModel model = test::grid_cloth();
    ClothState state = test::at_rest(model);
    state.velocities.rowwise() = Eigen::RowVector3d(1, 2, 3);
    CHECK(force_of(Wind(model, {.velocity = {1, 2, 3}}), state).norm() < 1e-14);
    CHECK(total(force_of(Wind(model, {.velocity = {0, 0, 0}}), state)).dot(Vector3(1, 2, 3)) < 0);
}

TEST_CASE("Wind does not care which side of the cloth is the front") {
    ClothModel model = test::grid_cloth();
    const WindSettings wind{.velocity = {1, -2, 4}};
    const Forces front = force_of(Wind(model, wind), test::at_rest(model));
    model.mesh.triangles.col(1).swap(model.mesh.triangles.col(2));
    CHECK((force_of(Wind(model, wind), test::at_rest(model)) - front).norm() < 1e-14);
}

TEST_CASE("Gusts stay within their strength and turning within its angle") {
    const ClothModel model = test::grid_cloth();
    const Wind wind(model, {.velocity = {5, 0, 0}, .gust_strength = 0.4, .turning_angle = 0.5});
    double weakest = 1e9, strongest = 0, widest = 0;
    for (double time = 0; time < 60; time += 0.01) {
        const Vector3 v = wind.velocity_at(time);
        weakest = std::min(weakest, v.norm());
        strongest = std::max(strongest, v.norm());
        widest = std::max(widest, std::abs(std::atan2(v.y(), v.x())));
    }
    CHECK(weakest >= 5 * 0.6);
    CHECK(weakest < 5 * 0.8);
    CHECK(strongest <= 5 * 1.4);
    CHECK(strongest > 5 * 1.2);
    CHECK(widest == test::near(0.5).epsilon(1e-3));
}

TEST_CASE(
    "Pressure on a flat cloth is pressure times area along its normal, on grids up to their border and on meshes") {
    ClothModel model = test::grid_cloth();
    const Vector3 normal = geometry::vertex_normals(model.mesh.positions, model.mesh.triangles).row(40);
    const Vector3 on_grid = total(force_of(Pressure(model, 10), test::at_rest(model)));
    CHECK((on_grid - 10 * cloth_area * normal).norm() < 1e-12);
    model.grid.reset();
    const Vector3 on_mesh = total(force_of(Pressure(model, 10), test::at_rest(model)));
    CHECK((on_mesh - 10 * cloth_area * normal).norm() < 1e-12);
}

TEST_CASE("Pressure inside a closed surface has no resultant") {
    // an octahedron
    ClothModel model;
    model.mesh.positions.resize(6, 3);
    model.mesh.positions << 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1;
    model.mesh.triangles.resize(8, 3);
    model.mesh.triangles << 0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5;
    model.start_positions = model.mesh.positions;
    model.masses = VectorX::Ones(6);
    const Forces forces =
        force_of(Pressure(model, 7), {model.mesh.positions + test::random_rows(6, 0.2, 1), Velocities::Zero(6, 3)});
    CHECK(total(forces).norm() < 1e-13);
    CHECK(forces.norm() > 1);
}
