// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/shown_contact.h"

namespace tulle::methods {

namespace {

constexpr double gap_per_thickness = 0.1;  // the coarse cloth keeps the whole thickness; this only has to be seen

VectorX inverse_masses(const physics::ClothModel& cloth) {
    VectorX inverse = cloth.masses.cwiseInverse();
    for (const physics::PinGroup& group : cloth.pins)
        for (const int v : group.vertices) inverse(v) = 0;
    return inverse;
}

}  // namespace

ShownContact::ShownContact(const physics::ClothModel& fine, const physics::World& world, geometry::FlatUpsampling flat,
                           const std::vector<std::array<int, 3>>& patch_corners)
    : world_(world),
      flat_(std::move(flat)),
      faces_(fine.mesh.positions, fine.mesh.triangles, inverse_masses(fine)),
      self_({fine.mesh.positions, fine.mesh.triangles, patch_corners}, inverse_masses(fine),
            gap_per_thickness * world.self_contact.thickness) {}

collision::PatchContactOutcome ShownContact::apply(const Positions& coarse, double time, Positions& shown) {
    flat_.apply(coarse, start_);
    if (world_.colliders->empty()) return self_.resolve(start_, shown, nullptr);
    const collision::ColliderResponse colliders(*world_.colliders, time, /*dt=*/0);
    const collision::ColliderContact contact{colliders, faces_};
    return self_.resolve(start_, shown, &contact);
}

}  // namespace tulle::methods
