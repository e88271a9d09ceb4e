// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/reproduce/coerced_cells.h"

namespace tulle::training {

// Figures 4, 7, 8 and 10 of the paper on coerced networks, of one test pose, with the first seed; those whose networks
// have not been trained are left out.
void draw_coerced_pictures(Reproduction& run, Page& page, const CoercedCells& cells);

}  // namespace tulle::training
