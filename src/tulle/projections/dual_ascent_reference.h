// SPDX-License-Identifier: Apache-2.0
// The passes of dual ascent, written to be read: the definition of correct for dual_ascent_kernel.h.
#pragma once

#include "tulle/projections/dual_ascent_kernel.h"

namespace tulle::projections {

extern const AscentKernels reference_ascent_kernels;

}  // namespace tulle::projections
