// SPDX-License-Identifier: Apache-2.0
// The pieces of cloth that textile laboratories test, cut out of a woven grid along its threads.
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/scene/fabrics.h"

namespace tulle::workflows {

struct DiscShape {
    double radius = 0.15;        // [m]
    double clamp_radius = 0.09;  // [m] what lies between the two plates
    double spacing = 0.005;      // [m] of the threads that are simulated
};

// A level disc around the origin, held within its clamp. Its border and its clamp follow the threads in steps, but have
// the areas of the circles.
physics::ClothModel disc_specimen(const scene::Fabric& fabric, const DiscShape& shape);

struct StripShape {
    double width = 0.025;    // [m] along y
    double overhang = 0.05;  // [m] along x, from the edge of the platform at x = 0
    int cells = 24;          // along the overhang
};

// A level strip that ends at x = `overhang`. Two columns at the edge are held, which hold its slope too.
physics::ClothModel strip_specimen(const scene::Fabric& fabric, const StripShape& shape);

}  // namespace tulle::workflows
