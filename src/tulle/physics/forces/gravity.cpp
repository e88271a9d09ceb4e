// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/forces/gravity.h"

namespace tulle::physics {

void Gravity::add_to(Forces& forces, const ClothState&) const { forces += masses_ * acceleration().transpose(); }

}  // namespace tulle::physics
