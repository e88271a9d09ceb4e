// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/world.h"

#include "tulle/physics/forces/grab.h"
#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/forces/pressure.h"

namespace tulle::physics {

Vector3 gravity_change(const World& world) {
    return world.interaction ? world.interaction->gravity_change : Vector3::Zero();
}

ForceList make_forces(const World& world, const ClothModel& model) {
    ForceList forces;
    const Interaction* interaction = world.interaction.get();
    forces.push_back(std::make_unique<Gravity>(model, world.gravity, interaction));
    if (world.wind) forces.push_back(std::make_unique<Wind>(model, *world.wind, interaction));
    if (world.pressure != 0) forces.push_back(std::make_unique<Pressure>(model, world.pressure));
    if (interaction) forces.push_back(std::make_unique<Grabs>(model, *interaction));
    return forces;
}

}  // namespace tulle::physics
