// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/posed_mesh.h"

#include <memory>
#include <optional>
#include <vector>

namespace tulle::methods {

// How a body holds a garment up: softly, so that the forces of a garment at rest are smooth functions of where it is.
struct BodyPressureSettings {
    double distance = 0.009;   // [m] nearer than this, the body presses
    double softness = 0.0006;  // [m] nearer by this, it presses e times as hard
    double friction = 0.3;     // Coulomb's coefficient
    double slip = 5e-4;        // [m] by which a vertex gives before friction holds it with all it has
};

// What a vertex feels of something: a force, and how that changes as the vertex moves.
struct Push {
    Vector3 force = Vector3::Zero();      // [N]
    Matrix3 stiffness = Matrix3::Zero();  // −∂force/∂x [N/m], positive semidefinite
};

// The force [N] of a soft wall at a depth [m], and its derivative: w (e^(p/s) − 1), straight on from 14 s.
struct SoftWall {
    double weight = 0;    // w [N]
    double softness = 1;  // s [m]

    double force(double depth) const;
    double stiffness(double depth) const;  // [N/m]
};

// The contact of a garment with a body that moves: pressure along the normal, and friction towards the place where a
// vertex was caught, which goes with the body. A vertex that is pulled harder than Coulomb's law lets it drags the
// place along.
class BodyPressure {
public:
    // `weights`: |V| [N] of the vertices. The topology must outlive it.
    BodyPressure(const collision::ClosedTopology& topology, const VectorX& weights,
                 const BodyPressureSettings& settings);

    // The body stands like this from now on. Returns how it carries the garment with it: |V|×3 [m].
    Positions move_body(const Positions& garment, const Positions& body);
    // Looks where the body is near, and drags along what slips.
    void look(const Positions& garment);
    Push push(int vertex, const Positions& garment) const;

private:
    struct Touch {
        collision::SurfacePlace nearest;   // on the body
        collision::SurfacePlace caught;    // where friction holds it
        Vector3 foot = Vector3::Zero();    // [m] the nearest place now
        Vector3 normal = Vector3::Zero();  // outward, unit
        Vector3 anchor = Vector3::Zero();  // [m] the place where it is held now
        bool touches = false;
        std::optional<Vector3> seen_from;  // where the vertex was when the body was searched
        double free_way = 0;               // [m] that it can go from there without another search
    };
    void find_plane(const Vector3& point, Touch& touch) const;
    double depth(const Touch& touch, const Vector3& point) const;
    SoftWall wall(int vertex) const;
    void drag(int vertex, const Vector3& point, Touch& touch) const;

    const collision::ClosedTopology& topology_;
    VectorX weights_;  // |V| [N]
    BodyPressureSettings settings_;
    std::unique_ptr<collision::MeshSearch> search_;
    std::vector<Touch> touches_;  // |V|
};

}  // namespace tulle::methods
