// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <cstddef>
#include <span>
#include <vector>

namespace tulle::physics {

// The pull of each spring at the end of a step, for the next one to begin with.
class SpringTensions {
public:
    // |E| [N]. Those that were kept until `time`; zero where the state is not the one that a step left behind.
    VectorX& at(double time, long count);
    void keep_until(double time) { time_ = time; }

    std::vector<std::byte> memory() const;  // empty before the first step
    static size_t memory_size(long count) { return sizeof(double) * static_cast<size_t>(1 + count); }
    // Throws an Error if they are not those of as many springs.
    void set_memory(std::span<const std::byte> memory, long count);

private:
    VectorX values_;
    double time_ = 0;  // [s]
};

}  // namespace tulle::physics
