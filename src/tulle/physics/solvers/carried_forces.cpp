// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/carried_forces.h"

#include <algorithm>

namespace tulle::physics {

// The tensions, then what colliders press with.
std::vector<std::byte> CarriedForces::memory() const {
    std::vector<std::byte> bytes = tensions.memory();
    if (bytes.empty() || !pressure.acts()) return bytes;
    const std::vector<std::byte> pressing = pressure.memory();
    bytes.insert(bytes.end(), pressing.begin(), pressing.end());
    return bytes;
}

void CarriedForces::set_memory(std::span<const std::byte> memory) {
    const size_t own = pressure.acts() ? std::min(memory.size(), SpringTensions::memory_size(springs)) : memory.size();
    tensions.set_memory(memory.first(own), springs);
    pressure.set_memory(memory.subspan(own));
}

}  // namespace tulle::physics
