// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/reproduce/coerced_cells.h"

namespace tulle::training {

// Tables 1 to 4 of the paper on coerced networks beside ours, and what more examples do.
void coerced_tables(Page& page, const CoercedCells& cells);
// Quasistatics on poses of half the joints' range.
void half_range_table(Page& page, const CoercedCells& half);

}  // namespace tulle::training
