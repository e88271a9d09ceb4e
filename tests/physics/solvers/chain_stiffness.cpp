// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/chain_stiffness.h"

#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <Eigen/Dense>

using namespace tulle;
using namespace tulle::physics;

namespace {

constexpr double mass = 1e-4, stiffness = 500, dt = 0.0025;

// Vertices along x, each tied to the next by a spring.
struct Chain {
    explicit Chain(int count)
        : positions(Positions::Zero(count, 3)), inverse_masses(VectorX::Constant(count, 1 / mass)) {
        for (int v = 0; v < count; ++v) positions(v, 0) = 0.01 * v;
        model.springs.edges.resize(count - 1, 2);
        for (int e = 0; e < count - 1; ++e) model.springs.edges.row(e) << e, e + 1;
        model.springs.stiffness = VectorX::Constant(count - 1, stiffness);
        model.springs.damping = VectorX::Zero(count - 1);
        model.springs.rest_lengths = VectorX::Constant(count - 1, 0.01);
    }

    double give(int vertex, const Vector3& direction, const Vector3& others = Vector3::Zero()) const {
        const Positions pressed = others.transpose().replicate(positions.rows(), 1);
        ChainStiffness chain(model, inverse_masses);
        chain.look(positions, dt);
        return chain.give(vertex, direction, pressed);
    }

    // How far 1 N along the chain moves the vertex in a step: (M/Δt² + K)⁻¹.
    double give_by_solving(int vertex) const {
        const long count = positions.rows();
        Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, count);
        for (long v = 0; v < count; ++v) matrix(v, v) = 1 / (std::max(inverse_masses(v), 1e-12) * dt * dt);
        for (long e = 0; e < count - 1; ++e) {
            matrix.block<2, 2>(e, e) += stiffness * (Eigen::Matrix2d() << 1, -1, -1, 1).finished();
        }
        return matrix.inverse()(vertex, vertex);
    }

    Positions positions;
    VectorX inverse_masses;
    ClothModel model;
};

}  // namespace

TEST_CASE("A force along a long chain moves its end and its middle as far as solving for all of it says") {
    const Chain chain(200);
    CHECK(chain.give(0, Vector3::UnitX()) == test::near(chain.give_by_solving(0)).epsilon(1e-6));
    CHECK(chain.give(100, Vector3::UnitX()) == test::near(chain.give_by_solving(100)).epsilon(1e-6));
    CHECK(chain.give(0, Vector3::UnitX()) < 0.5 * dt * dt / mass);
}

TEST_CASE("A force across a chain moves a vertex as if it were alone") {
    CHECK(Chain(20).give(7, Vector3::UnitZ()) == test::near(dt * dt / mass));
}

TEST_CASE("Vertices that are pressed alike do not hold each other, and those that are pressed across do") {
    const Chain chain(3);
    CHECK(chain.give(1, Vector3::UnitX(), Vector3::UnitX()) == test::near(dt * dt / mass));
    CHECK(chain.give(1, Vector3::UnitX(), Vector3::UnitZ()) == test::near(chain.give(1, Vector3::UnitX())));
}

TEST_CASE("A vertex beside a pinned one feels the whole spring, and a pinned one does not move") {
    Chain chain(2);
    chain.inverse_masses(1) = 0;
    CHECK(chain.give(0, Vector3::UnitX()) == test::near(chain.give_by_solving(0)).epsilon(1e-6));
    CHECK(chain.give(1, Vector3::UnitX()) == 0);
}
