// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/live/inputs.h"
#include "tulle/workflows/simulate.h"

namespace tulle::workflows {

// Runs what was recorded while somebody touched a cloth, to the same bits. Of the settings it reads frames (0: as many
// as were seen), cache and on_frame. The recording is written beside the cache.
SimulateReport replay(const live::Recording& recording, const SimulateSettings& settings);

}  // namespace tulle::workflows
