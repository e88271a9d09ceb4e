// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/methods/garment/sewing_pattern.h"

namespace tulle::methods {

struct DrapeSettings {
    int iterations = 200;
    double distance = 0.008;  // [m] kept from the body
    double fall = 2e-4;       // [m] by which gravity moves it in an iteration
};

// A sewn garment put over a body that stands with z up and is closed and wound outward: blown up around it where it
// lies, then drawn to its rest lengths, pushed out of the body and let down, over and over, without inertia. Where to
// begin a simulation from: |V|×3 [m]. Nothing keeps its layers apart.
Positions put_on(const SewnGarment& garment, const geometry::TriangleMesh& rest, const geometry::TriangleMesh& body,
                 const DrapeSettings& settings = {});

}  // namespace tulle::methods
