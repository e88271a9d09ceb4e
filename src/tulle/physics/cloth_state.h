// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

namespace tulle::physics {

struct ClothState {
    Positions positions;    // |V|×3 [m]
    Velocities velocities;  // |V|×3 [m/s]
    double time = 0;        // [s]
};

}  // namespace tulle::physics
