// SPDX-License-Identifier: Apache-2.0
// What a projection starts from in the next frame, as bytes for Stepper::memory.
#pragma once

#include "tulle/projections/projection.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tulle::methods {

std::vector<std::byte> to_bytes(const projections::Projected& projected);
// Throws an Error unless the bytes are such.
projections::Projected projected_of(std::span<const std::byte> bytes);

}  // namespace tulle::methods
