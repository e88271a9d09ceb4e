// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/physics/damped_springs.h"
#include "tulle/physics/energies/bending.h"
#include "tulle/physics/energies/elastic.h"
#include "tulle/physics/energies/spring.h"
#include "tulle/physics/step_objective.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <functional>

using namespace tulle;
using namespace tulle::physics;

namespace {

// Central differences of f at x along `direction`.
double slope(const std::function<double(const Positions&)>& f, const Positions& x, const Positions& direction,
             double h = 1e-6) {
    return (f(x + h * direction) - f(x - h * direction)) / (2 * h);
}

// A crumpled grid with bending by hinges beside its skip springs.
ClothModel crumpled_model() {
    ClothModel model = test::grid_cloth({.rows = 4, .columns = 5, .damping = 0.01});
    model.hinges = quadratic_hinges(model.mesh, 1e-3);
    return model;
}

}  // namespace

TEST_CASE("The spring gradient equals finite differences, stretched and compressed") {
    const Spring spring{.rest_length = 0.3, .stiffness = 120};
    for (const Vector3& d : {Vector3(0.5, -0.1, 0.2), Vector3(0.1, 0.05, -0.02)}) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vector3 step = 1e-6 * Vector3::Unit(axis);
            const double difference = (spring_energy(spring, d + step) - spring_energy(spring, d - step)) / 2e-6;
            CHECK(spring_gradient(spring, d)(axis) == test::near(difference).epsilon(1e-7));
        }
    }
}

TEST_CASE("The spring Hessian equals finite differences of its gradient") {
    const Spring spring{.rest_length = 0.3, .stiffness = 120};
    for (const Vector3& d : {Vector3(0.5, -0.1, 0.2), Vector3(0.1, 0.05, -0.02)}) {
        for (int axis = 0; axis < 3; ++axis) {
            const Vector3 step = 1e-6 * Vector3::Unit(axis);
            const Vector3 difference = (spring_gradient(spring, d + step) - spring_gradient(spring, d - step)) / 2e-6;
            CHECK((spring_hessian(spring, d).col(axis) - difference).norm() < 1e-5);
        }
    }
}

TEST_CASE("The projected spring Hessian has no negative eigenvalue and is exact when stretched") {
    const Spring spring{.rest_length = 0.3, .stiffness = 120};
    const Vector3 compressed(0.1, 0.05, -0.02), stretched(0.5, -0.1, 0.2);
    CHECK(Eigen::SelfAdjointEigenSolver<Matrix3>(spring_hessian(spring, compressed)).eigenvalues().minCoeff() < -1);
    CHECK(
        Eigen::SelfAdjointEigenSolver<Matrix3>(projected_spring_hessian(spring, compressed)).eigenvalues().minCoeff() >
        -1e-9);
    CHECK(projected_spring_hessian(spring, stretched).isApprox(spring_hessian(spring, stretched)));
}

TEST_CASE("The elastic forces are minus the gradient of the elastic energy") {
    const ClothModel model = crumpled_model();
    const Positions x = model.mesh.positions + test::random_rows(model.vertex_count(), 0.02, 1);
    const Positions direction = test::random_rows(model.vertex_count(), 1, 2);
    const double difference = slope([&](const Positions& p) { return elastic_energy(model, p); }, x, direction);
    CHECK(-elastic_forces(model, x).cwiseProduct(direction).sum() == test::near(difference).epsilon(1e-7));
}

TEST_CASE("The bending energy is half x'Qx and its gradient is Qx") {
    const ClothModel model = crumpled_model();
    const Positions x = model.mesh.positions + test::random_rows(model.vertex_count(), 0.02, 3);
    const Positions gradient = bending_matrix(model.hinges, model.vertex_count()) * x;
    CHECK(0.5 * x.cwiseProduct(gradient).sum() == test::near(bending_energy(model.hinges, x)));
    const Positions direction = test::random_rows(model.vertex_count(), 1, 4);
    const double difference = slope([&](const Positions& p) { return bending_energy(model.hinges, p); }, x, direction);
    CHECK(gradient.cwiseProduct(direction).sum() == test::near(difference).epsilon(1e-7));
}

TEST_CASE("A flat cloth has no bending energy") {
    const ClothModel model = crumpled_model();
    CHECK(bending_energy(model.hinges, model.mesh.positions) < 1e-20);
}

TEST_CASE("A cloth rolled to a cylinder has the bending energy of a plate, half D kappa squared per area") {
    constexpr double rigidity = 2e-3, radius = 0.5;
    ClothModel model = test::grid_cloth({.rows = 41, .columns = 41, .spacing = 0.01});
    const Hinges hinges = quadratic_hinges(model.mesh, rigidity);
    Positions rolled = model.mesh.positions;
    for (auto x : rolled.rowwise()) {
        const double angle = x(0) / radius;
        x = Vector3(radius * std::sin(angle), x(1), radius * (1 - std::cos(angle))).transpose();
    }
    const double area = 0.4 * 0.4;
    // The border carries no hinge, so a strip of about one cell counts less.
    CHECK(bending_energy(hinges, rolled) == test::near(0.5 * rigidity / (radius * radius) * area).epsilon(0.05));
}

TEST_CASE("Every energy is the same after a rigid motion") {
    const ClothModel model = crumpled_model();
    const Positions x = model.mesh.positions + test::random_rows(model.vertex_count(), 0.02, 5);
    const Eigen::Isometry3d motion =
        Eigen::Translation3d(1, -2, 3) * Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized());
    Positions moved = x;
    for (auto row : moved.rowwise()) row = (motion * Vector3(row.transpose())).transpose();
    CHECK(elastic_energy(model, moved) == test::near(elastic_energy(model, x)).epsilon(1e-10));
    CHECK(bending_energy(model.hinges, moved) == test::near(bending_energy(model.hinges, x)).epsilon(1e-9));
}

TEST_CASE("The gradient and Hessian of a step equal finite differences, and pinned vertices do not vary") {
    ClothModel model = crumpled_model();
    test::pin(model, {0, 4});
    const Positions start = model.mesh.positions;
    const Positions x = start + test::random_rows(model.vertex_count(), 0.02, 6);
    StepObjective objective(model, 0.02);
    objective.begin(start + test::random_rows(model.vertex_count(), 0.02, 7),
                    effective_rest_lengths(model.springs, start, 0.02));
    Positions direction = test::random_rows(model.vertex_count(), 1, 8);
    direction.row(0).setZero();
    direction.row(4).setZero();
    const double value_slope = slope([&](const Positions& p) { return objective.value(p); }, x, direction);
    CHECK(objective.gradient(x).cwiseProduct(direction).sum() == test::near(value_slope).epsilon(1e-6));
    CHECK(objective.gradient(x).row(4).norm() == 0);

    objective.linearise(x, StepObjective::Curvature::Exact);
    const Positions difference =
        (objective.gradient(x + 1e-6 * direction) - objective.gradient(x - 1e-6 * direction)) / 2e-6;
    CHECK((objective.apply_hessian(direction) - difference).norm() < 1e-6 * difference.norm());
}

TEST_CASE("The diagonal blocks of the Hessian are those of its columns") {
    ClothModel model = crumpled_model();
    test::pin(model, {0});
    const Positions x = model.mesh.positions + test::random_rows(model.vertex_count(), 0.02, 9);
    StepObjective objective(model, 0.02);
    objective.begin(x, model.springs.rest_lengths);
    objective.linearise(x, StepObjective::Curvature::Projected);
    const Rows<double, 9> blocks = objective.hessian_diagonals();
    for (const int v : {3, 7, 12}) {
        for (int axis = 0; axis < 3; ++axis) {
            Positions unit = Positions::Zero(model.vertex_count(), 3);
            unit(v, axis) = 1;
            const Eigen::RowVector3d column = objective.apply_hessian(unit).row(v);
            CHECK((blocks.row(v).segment<3>(3 * axis) - column).norm() < 1e-12);
        }
    }
}

TEST_CASE("A damped spring over one step has the force of spring and dashpot together") {
    ClothModel model = test::chain(2, 0.1, 1e-3, 50);
    model.springs.damping(0) = 0.7;
    constexpr double dt = 0.01;
    Positions start = model.mesh.positions, end = model.mesh.positions;
    start(1, 0) = 0.12;
    end(1, 0) = 0.15;
    const double k = effective_stiffness(model.springs, dt)(0);
    const double rest = effective_rest_lengths(model.springs, start, dt)(0);
    CHECK(k * (0.15 - rest) == test::near(50 * (0.15 - 0.1) + 0.7 * (0.15 - 0.12) / dt));
}
