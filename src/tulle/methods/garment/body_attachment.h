// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/character.h"
#include "tulle/collision/posed_mesh.h"

#include <vector>

namespace tulle::methods {

// How a garment follows a body: it is shrink-wrapped to it as it rests, and each vertex r̃ then keeps its place on its
// body triangle (section 2 of the paper on coerced networks). What is left, d = r − r̃, is written in the frame of the
// triangle: (Δu, Δv, Δn) along two directions of its plane and its normal.
class BodyAttachment {
public:
    // `garment` (|V|×3 [m]) lies on the closed body. `pattern` (|V|×2) are its pattern coordinates: u and v are the
    // directions in which these grow, as they lie on the body.
    BodyAttachment(const Positions& garment, const Triangles& garment_triangles, const Rows<double, 2>& pattern,
                   const geometry::TriangleMesh& body);

    const std::vector<collision::SurfacePlace>& places() const { return places_; }  // |V|, on the body

    Positions wrapped(const Positions& body) const;  // r̃, |V|×3 [m]
    // Columns u, v and n of every vertex's frame on a posed body: orthonormal, n is the normal of its triangle.
    std::vector<Matrix3> frames(const Positions& body) const;
    Positions to_offsets(const Positions& garment, const Positions& body) const;  // d in the frames, |V|×3 [m]
    Positions from_offsets(const Positions& offsets, const Positions& body) const;

private:
    Triangles body_triangles_;
    std::vector<collision::SurfacePlace> places_;
    Rows<double, 2> u_directions_;  // |V|×2, u in the triangle's plane: along its first edge and at a right angle to it
};

// How a garment that is worn follows a character: `worn` lies on it as it rests, in the character's own space, with its
// pattern as texture coordinates.
BodyAttachment attach(const geometry::TriangleMesh& worn, const body::Character& character);

}  // namespace tulle::methods
