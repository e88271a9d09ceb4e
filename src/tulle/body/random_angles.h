// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/keyframes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tulle::body {

// Angles of these joints, drawn evenly within their limits, or within a share of them around the rest pose. Throws an
// Error if a joint is not there.
std::vector<NamedAngles> random_angles(const Skeleton& skeleton, const std::vector<std::string>& joints,
                                       std::uint64_t seed, double within = 1);

}  // namespace tulle::body
