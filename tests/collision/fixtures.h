// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/contact_pass.h"
#include "tulle/collision/intersections.h"
#include "tulle/core/random.h"
#include "tulle/geometry/grid_cloth.h"

#include <string>
#include <utility>
#include <vector>

namespace tulle::collision {

inline Vector3 random_point(Random& random, double half_size) {
    const double x = random.uniform(-half_size, half_size);
    const double y = random.uniform(-half_size, half_size);
    const double z = random.uniform(-half_size, half_size);
    return {x, y, z};
}

inline Collider collider_of(std::unique_ptr<Shape> shape) {
    Collider collider;
    collider.shape = std::move(shape);
    return collider;
}

inline std::shared_ptr<Colliders> only(Collider collider) {
    auto colliders = std::make_shared<Colliders>();
    colliders->push_back(std::move(collider));
    return colliders;
}

// One or more sheets as one cloth of springs along all edges, enough to fall, fold and bounce with.
struct SpringSheet {
    geometry::TriangleMesh mesh;
    Positions positions;
    Velocities velocities;
    VectorX inverse_masses;
    Edges edges;
    VectorX rest_lengths;
    double stiffness = 30;  // [N/m]
    double damping = 0.05;  // [N s/m] along the springs
    Vector3 gravity = Vector3::Zero();
    double time = 0;

    explicit SpringSheet(const geometry::TriangleMesh& cloth, double mass = 0.002);

    // A step of symplectic Euler, then the contact pass.
    ContactReport step(ContactPass& pass, double dt);
    // The same for a cloth without springs.
    ContactReport fly(ContactPass& pass, double dt);
    ContactPass make_pass(std::shared_ptr<const Colliders> colliders, const SelfContactSettings& self) const {
        return ContactPass(mesh.positions, mesh.triangles, inverse_masses, std::move(colliders), self);
    }
    Vector3 momentum() const;
    long crossings() const { return static_cast<long>(find_crossings(positions, mesh.triangles).size()); }
};

geometry::TriangleMesh flat_sheet(int rows, int columns, double spacing, const Vector3& origin);
geometry::TriangleMesh both(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b);

// A strip that hovers over itself: half of it lies flat, then it turns round and comes back above.
SpringSheet folded_strip();

// A sheet thrown into a heap by random velocities.
SpringSheet crumpling_sheet(int size, double speed, std::uint64_t seed);

}  // namespace tulle::collision
