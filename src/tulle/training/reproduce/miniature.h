// SPDX-License-Identifier: Apache-2.0
// The parts of docs/results/miniature.md. Only for the .cpp files of this folder.
#pragma once

#include "tulle/training/reproduce/reproduction.h"

namespace tulle::training {

void table_2(Reproduction& run, Page& page);
void table_3(Reproduction& run, Page& page);
void table_4_and_figures_7_and_8(Reproduction& run, Page& page);
void table_5(Reproduction& run, Page& page);
void tables_6_to_8(Reproduction& run, Page& page);  // and figures 6 and 9 to 12
void figures_13_and_14(Reproduction& run, Page& page);
void figure_15(Reproduction& run, Page& page);

}  // namespace tulle::training
