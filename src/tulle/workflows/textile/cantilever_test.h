// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/scene/fabrics.h"
#include "tulle/workflows/textile/settle.h"

namespace tulle::workflows {

// Peirce's cantilever test (Peirce 1930; BS 3356, ASTM D1388): a strip is pushed over the edge of a platform until its
// tip lies 41.5° below the edge. Half of what hangs over is the bending length c, and w c³ is the flexural rigidity,
// with the weight per area w.
struct CantileverResult {
    double bending_length = 0;  // [m] c
    double rigidity = 0;        // [N m] w c³, as a laboratory reports it
    double exact_rigidity = 0;  // [N m] by the elastica, which Peirce's factor ½ approximates
    double angle = 0;           // [rad] of the tip at the last overhang
    double rest_speed = 0;      // [m/s] of the fastest vertex
    geometry::TriangleMesh rest;
    Positions bent;  // |V|×3 [m]
    bool stopped = false;
};

// Its threads are ten times closer than a cloth's, so steps are shorter.
CantileverResult cantilever_test(const scene::Fabric& fabric, int cells = 16,
                                 const SettleSettings& settings = {.dt = 0.002});

inline constexpr double cantilever_angle = 41.5 * 3.14159265358979323846 / 180;  // [rad]

// D/(w ℓ³) of an inextensible strip of rigidity D and overhang ℓ whose tip hangs at the angle; at 41.5° Peirce has 1/8.
double elastica_stiffness(double angle /* [rad] */);

}  // namespace tulle::workflows
