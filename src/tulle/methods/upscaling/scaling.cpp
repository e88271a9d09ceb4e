// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/scaling.h"

#include "tulle/core/error.h"

#include <fmt/format.h>

namespace tulle::methods {

std::vector<std::string> scaling_names() { return {"paper", "similarity", "calibrated"}; }

std::string to_string(Scaling scaling) { return scaling_names()[static_cast<size_t>(scaling)]; }

Scaling parse_scaling(const std::string& name) {
    for (const Scaling scaling : {Scaling::Paper, Scaling::Similarity, Scaling::Calibrated})
        if (to_string(scaling) == name) return scaling;
    throw Error("unknown scaling '{}'; it is one of {}", name, fmt::join(scaling_names(), ", "));
}

}  // namespace tulle::methods
