// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/world.h"

#include "tulle/physics/forces/gravity.h"
#include "tulle/physics/forces/pressure.h"

namespace tulle::physics {

ForceList make_forces(const World& world, const ClothModel& model) {
    ForceList forces;
    forces.push_back(std::make_unique<Gravity>(model, world.gravity));
    if (world.wind) forces.push_back(std::make_unique<Wind>(model, *world.wind));
    if (world.pressure != 0) forces.push_back(std::make_unique<Pressure>(model, world.pressure));
    return forces;
}

}  // namespace tulle::physics
