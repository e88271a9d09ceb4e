// SPDX-License-Identifier: Apache-2.0
// `mass_spring` against a port of the force-cell paper's scripts, written as they are: nested loops, one vertex after
// the other, all velocities taken from the step before.
#include "tests/support/cloths.h"
#include "tests/support/near.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::physics;

namespace {

constexpr int n = 17;
constexpr double h = 1.0 / n, dt = 3e-4, Y = 3e4, dashpot = 1e4 * h, drag = 1, radius = 0.3;

struct Published {
    Positions x = Positions::Zero(n * n, 3);
    Velocities v = Velocities::Zero(n * n, 3);
    double pressure = 0;  // of the script: on each corner's parallelogram

    Vector3 to(int r, int c, int dr, int dc) const {
        const bool exists = r + dr >= 0 && r + dr < n && c + dc >= 0 && c + dc < n;
        return exists ? Vector3(x.row((r + dr) * n + c + dc) - x.row(r * n + c)) : Vector3(Vector3::Zero());
    }

    Vector3 acceleration(int r, int c) const {
        Vector3 a(0, -9.8, 0);
        for (int dr = -2; dr <= 2; ++dr)
            for (int dc = -2; dc <= 2; ++dc) {
                const bool near_one = std::abs(dr) <= 1 && std::abs(dc) <= 1 && (dr != 0 || dc != 0);
                const bool far_one = (std::abs(dr) == 2 && dc == 0) || (std::abs(dc) == 2 && dr == 0);
                const Vector3 d = to(r, c, dr, dc);
                if ((!near_one && !far_one) || d.isZero()) continue;
                const double length = d.norm(), rest = h * std::hypot(dr, dc);
                const Vector3 w = v.row((r + dr) * n + c + dc) - v.row(r * n + c);
                a += (Y * (length / rest - 1) + dashpot * w.dot(d) / length) * d / length;
            }
        const Vector3 north = to(r, c, -1, 0), south = to(r, c, 1, 0), west = to(r, c, 0, -1), east = to(r, c, 0, 1);
        return a + pressure * (north.cross(west) + west.cross(south) + south.cross(east) + east.cross(north));
    }

    void step() {
        Velocities next(n * n, 3);
        for (int i = 0; i < n * n; ++i) {
            Vector3 velocity = (Vector3(v.row(i)) + dt * acceleration(i / n, i % n)) * std::exp(-drag * dt);
            const Vector3 out = Vector3(x.row(i)).normalized();
            if (x.row(i).norm() < radius && velocity.dot(out) < 0)
                velocity = 0.95 * (velocity - velocity.dot(out) * out);
            next.row(i) = velocity;
        }
        v = next;
        x += dt * v;
    }
};

}  // namespace

TEST_CASE("mass_spring falls on a ball with the contact of the published scripts, and follows them to rounding") {
    const geometry::GridCloth cloth = geometry::make_grid_cloth({n, n}, {.origin = {-0.52, 0.35, -0.46},
                                                                         .along_columns = Vector3::UnitX(),
                                                                         .along_rows = Vector3::UnitZ(),
                                                                         .width = (n - 1) * h,
                                                                         .height = (n - 1) * h});
    ClothModel model;
    model.mesh = cloth.mesh;
    model.start_positions = cloth.mesh.positions;
    model.grid = cloth.size;
    model.masses = VectorX::Ones(n * n);
    const SpringMaterial spring{.stiffness = Y, .damping = dashpot};
    model.springs =
        grid_springs(cloth, {.stretch = spring, .shear = spring, .bend = spring, .stiffness_per_length = true});
    Published published{.x = cloth.mesh.positions, .pressure = 500};
    auto colliders = std::make_shared<collision::Colliders>();
    colliders->push_back({.name = "ball",
                          .shape = collision::make_sphere(Vector3::Zero(), radius),
                          .motion = {},
                          .contact_drag = -std::log(0.95) / dt,
                          .law = collision::ContactLaw::Velocity});
    const World world{
        .gravity = {0, -9.8, 0}, .pressure = 4 * published.pressure, .drag_rate = drag, .colliders = colliders};
    ClothState state{.positions = published.x, .velocities = published.v};
    const auto solver = make_solver(model, world, MassSpringSettings{.reference = true});
    int inside = 0;
    for (int i = 0; i < 1200; ++i) {
        published.step();
        inside += static_cast<int>((published.x.rowwise().norm().array() < radius).count());
        solver->advance(state, dt, 1);
    }
    CHECK(inside > 1000);  // it lies in the ball's surface
    CHECK((state.positions - published.x).cwiseAbs().maxCoeff() < 1e-9);
    CHECK((published.x - cloth.mesh.positions).rowwise().norm().maxCoeff() > 0.1);
}
