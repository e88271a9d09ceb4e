// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/training/reproduce/page.h"

namespace tulle::training {

// Figure 11 of the paper on coerced networks: edges at their limits whose forces are not unique, and what the adjoint
// of inextensibility makes of them.
void dependent_edges(Page& page);

}  // namespace tulle::training
