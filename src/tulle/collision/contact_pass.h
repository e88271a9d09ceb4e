// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/collider.h"
#include "tulle/core/arrays.h"
#include "tulle/core/timer.h"

#include <memory>
#include <vector>

namespace tulle::collision {

struct SelfContactSettings {
    bool enabled = false;
    double thickness = 0.002;  // [m] distance the layers are pushed to; never crossed: zero
    double friction = 0;       // Coulomb coefficient
};

struct ContactReport {
    int collider_contacts = 0;   // vertices that touched a collider
    int face_contacts = 0;       // faces and edges that did, away from their vertices
    int self_contacts = 0;       // vertex–triangle and edge–edge pairs that were pushed apart
    int truncated_vertices = 0;  // vertices made to move with others, or slowed, so that nothing passes through
    int unresolved = 0;  // pairs, or vertices and faces in colliders, that pins or colliders forced all the same
    StageTimes stages;   // "colliders", "self_collision" [ms]
};

struct Movement {
    const Positions& start;  // |V|×3, free of intersections, at `time`
    Positions& end;          // |V|×3, what the solver proposes for `time` + `dt`; corrected in place
    Velocities& velocities;  // |V|×3 at the end of the step; corrected in place
    double time = 0;         // [s]
    double dt = 0;           // [s]
};

// The last act of every solver's step: nothing passes through a collider or through the cloth itself, whatever the
// solver proposed. Deterministic at any thread count.
class ContactPass {
public:
    // `rest_positions` (|V|×3) tell which parts of the cloth are neighbours that may be closer than the thickness;
    // `inverse_masses` are 0 for pinned vertices, which are never moved. Keeps references to nothing.
    ContactPass(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses,
                std::shared_ptr<const Colliders> colliders, const SelfContactSettings& self);
    ~ContactPass();
    ContactPass(ContactPass&&) noexcept;
    ContactPass& operator=(ContactPass&&) noexcept;

    bool is_needed() const;  // false if there are no colliders and self-contact is off
    // The result depends on the movement alone, not on earlier calls.
    ContactReport apply(Movement movement);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tulle::collision
