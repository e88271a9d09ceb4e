// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/collider_forces.h"

#include "tests/collision/fixtures.h"
#include "tests/support/near.h"
#include "tulle/core/error.h"

#include <doctest/doctest.h>

namespace tulle::collision {

namespace {

constexpr double dt = 0.01, mass = 0.002, thickness = 0.003, friction = 0.5;

Colliders floor() {
    Colliders colliders(1);
    colliders[0].shape = make_plane(Vector3::Zero(), Vector3::UnitZ());
    colliders[0].thickness = thickness;
    colliders[0].friction = friction;
    return colliders;
}

// Vertices that nothing joins lie on the floor. Each of them is pulled by the same force; what remains of its way after
// a few corrections is where it ends.
double give_alone(int, const Vector3&, const Positions&) { return dt * dt / mass; }

struct Lying {
    SpringSheet sheet{flat_sheet(3, 3, 0.1, Vector3(0, 0, thickness))};
    Colliders colliders = floor();
    ColliderResponse response{colliders, 0, dt};
    ColliderForces forces{sheet.mesh.positions, sheet.mesh.triangles, VectorX::Constant(9, 1 / mass)};

    Positions pulled(const Vector3& force) {
        const Positions& start = sheet.mesh.positions;
        Positions end;
        for (int i = 0; i < 30; ++i) {
            end = start.rowwise() + (dt * dt / mass * force).transpose();
            end += dt * dt / mass * forces.forces();
            forces.find(response, start, end);
            forces.correct(response, start, end, give_alone);
        }
        return end;
    }
};

}  // namespace

TEST_CASE("A floor holds what lies on it with its weight, and against a pull that friction can hold") {
    Lying lying;
    const Vector3 weight(0, 0, -mass * 9.81);
    Positions end = lying.pulled(weight);
    CHECK((end - lying.sheet.mesh.positions).norm() < 1e-12);
    CHECK(lying.forces.forces().colwise().sum().isApprox(-9 * weight.transpose(), 1e-9));

    const Vector3 sideways(0.4 * mass * 9.81, 0, 0);
    end = lying.pulled(weight + sideways);
    CHECK((end - lying.sheet.mesh.positions).norm() < 1e-12);
    CHECK(lying.forces.forces().col(0).sum() == test::near(-9 * sideways.x()));
}

TEST_CASE("What is pulled harder than friction holds slides by the rest of the pull") {
    Lying lying;
    const double weight = mass * 9.81;
    const Positions end = lying.pulled({2 * friction * weight, 0, -weight});
    const double way = dt * dt / mass * friction * weight;
    for (long v = 0; v < 9; ++v) {
        CHECK(end(v, 0) - lying.sheet.mesh.positions(v, 0) == test::near(way).epsilon(1e-6));
        CHECK(end(v, 2) == test::near(thickness));
    }
}

TEST_CASE("A floor does not throw up what is too deep already, but lets it go no deeper") {
    Lying lying;
    lying.sheet.mesh.positions.col(2).setConstant(0.2 * thickness);
    const Positions end = lying.pulled({0, 0, -mass * 9.81});
    CHECK((end - lying.sheet.mesh.positions).cwiseAbs().maxCoeff() < 1e-3 * thickness);
}

TEST_CASE("A correction says where its pressures would move vertices that nothing else holds") {
    Lying lying;
    const Positions& start = lying.sheet.mesh.positions;
    Positions end = start;
    end.col(2).array() -= 0.5 * thickness;
    lying.forces.find(lying.response, start, end);
    const Positions moved = lying.forces.correct(lying.response, start, end, give_alone);
    CHECK((moved - end - dt * dt / mass * lying.forces.forces()).norm() < 1e-12);
    CHECK(moved.col(2).minCoeff() > end.col(2).minCoeff());
}

TEST_CASE("A floor does not hold what is lifted") {
    Lying lying;
    static_cast<void>(lying.pulled({0, 0, -mass * 9.81}));
    const Positions end = lying.pulled({0, 0, mass});
    CHECK(lying.forces.forces().norm() == 0);
    CHECK(end(4, 2) == test::near(thickness + dt * dt));
}

TEST_CASE("Forces of colliders are the same after writing and reading, and broken numbers are refused") {
    Lying lying, other;
    static_cast<void>(lying.pulled({0.001, 0, -mass * 9.81}));
    const std::vector<double> numbers = lying.forces.to_numbers();
    other.forces.from_numbers(numbers, 1);
    CHECK(other.forces.forces() == lying.forces.forces());
    const auto refuses = [&](size_t place, double number) {
        std::vector<double> broken = numbers;
        broken[place] = number;
        CHECK_THROWS_AS(other.forces.from_numbers(broken, 1), Error);
    };
    refuses(0, 9);   // nine vertices, the last is number 8
    refuses(0, -9);  // eight faces, the last is −8
    refuses(1, 1);   // one collider
    refuses(1, -1);
    refuses(8, std::numeric_limits<double>::quiet_NaN());
    CHECK_THROWS_AS(other.forces.from_numbers(std::span(numbers).first(numbers.size() - 1), 1), Error);
}

}  // namespace tulle::collision
