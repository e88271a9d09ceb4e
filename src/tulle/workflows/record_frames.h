// SPDX-License-Identifier: Apache-2.0
// A running simulation as what a cache keeps of it.
#pragma once

#include "tulle/io/cache.h"
#include "tulle/scene/simulation.h"

#include <string>

namespace tulle::workflows {

io::CacheHeader cache_header(const scene::Simulation& simulation, const std::string& method);
io::CacheFrame cache_frame(const scene::Simulation& simulation, double milliseconds);

}  // namespace tulle::workflows
