// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/solvers/spring_tensions.h"

#include "tulle/core/error.h"

#include <cstring>

namespace tulle::physics {

VectorX& SpringTensions::at(double time, long count) {
    if (values_.size() != count || time_ != time) values_ = VectorX::Zero(count);
    return values_;
}

// The time, then the tensions, as plain numbers.
std::vector<std::byte> SpringTensions::memory() const {
    if (values_.size() == 0) return {};
    std::vector<std::byte> bytes(memory_size(values_.size()));
    std::memcpy(bytes.data(), &time_, sizeof(double));
    std::memcpy(bytes.data() + sizeof(double), values_.data(), bytes.size() - sizeof(double));
    return bytes;
}

void SpringTensions::set_memory(std::span<const std::byte> memory, long count) {
    values_.resize(0);
    if (memory.empty()) return;  // from before the first step
    if (memory.size() != memory_size(count))
        throw Error(
            "the cache was made with another cloth or another 'solver.admm.scheme'; start again without --resume");
    values_.resize(count);
    std::memcpy(&time_, memory.data(), sizeof(double));
    std::memcpy(values_.data(), memory.data() + sizeof(double), memory.size() - sizeof(double));
    if (!values_.allFinite())
        throw Error("the cache holds tensions that are not numbers; start again without --resume");
}

}  // namespace tulle::physics
