// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/patch_contact.h"
#include "tulle/geometry/flat_upsampling.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/world.h"

#include <array>
#include <vector>

namespace tulle::methods {

// Keeps what an upscaling method shows out of itself. The surface of the coarse cloth is free of intersections, because
// its solver sees to that. From there the fine cloth goes towards where the method wants it, as far as nothing is in
// the way. Nothing is remembered: frames that are alike are corrected alike, and no error lasts.
class ShownContact {
public:
    // `world` must outlive it. `flat`: from the coarse cloth; `patch_corners`: |T| of the fine one, the corners of flat
    // patches of a few triangles (SurfacePatches).
    ShownContact(const physics::ClothModel& fine, const physics::World& world, geometry::FlatUpsampling flat,
                 const std::vector<std::array<int, 3>>& patch_corners);

    // Corrects `shown` at the time, unless a vertex is pinned. `coarse`: what it was made of.
    collision::PatchContactOutcome apply(const Positions& coarse, double time, Positions& shown);

private:
    const physics::World& world_;
    geometry::FlatUpsampling flat_;
    collision::FaceContact faces_;
    collision::PatchContact self_;
    Positions start_;  // kept because allocating anew costs time
};

}  // namespace tulle::methods
