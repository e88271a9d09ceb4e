// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/deforming_mesh.h"
#include "tulle/collision/shape.h"
#include "tulle/geometry/rigid_motion.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::collision {

// What keeps the cloth out. Position: vertices end every step outside. Velocity: the force-cell paper's scripts, which
// let them in: a vertex that begins a step inside and goes deeper loses that part of its velocity.
enum class ContactLaw { Position, Velocity };

struct Collider {
    std::string name;
    std::unique_ptr<Shape> shape;  // in its place at rest; `motion` moves it from there
    geometry::RigidMotion motion;
    std::unique_ptr<const DeformingMesh> deforming = nullptr;  // in place of shape and motion
    double thickness = 0.005;                                  // [m] vertices are kept this far outside
    double friction = 0;                                       // Coulomb coefficient
    double restitution = 0;                                    // part of the normal velocity that comes back
    double contact_drag = 0;  // [1/s] velocity relative to the collider decays at this rate while touching
    ContactLaw law = ContactLaw::Position;  // Velocity knows of contact_drag only
};

using Colliders = std::vector<Collider>;

// A collider at one moment. It must outlive this.
class PlacedCollider {
public:
    PlacedCollider(const Collider& collider, double time) : collider_(collider), to_world_(collider.motion.at(time)) {
        if (collider.deforming) posed_.emplace(collider.deforming->at(time));
    }

    const Shape& shape() const { return posed_ ? static_cast<const Shape&>(*posed_) : *collider_.shape; }
    const Eigen::Isometry3d& to_world() const { return to_world_; }  // from the frame of the shape

private:
    const Collider& collider_;
    std::optional<PosedMesh> posed_;  // of a deforming one, in the world
    Eigen::Isometry3d to_world_;
};

}  // namespace tulle::collision
