// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <span>
#include <vector>

namespace tulle::physics {

// For every vertex, the elements that touch it and in which of their corners, in ascending order. Sums over elements
// are gathered per vertex along it, which needs no atomics and gives the same bits at any thread count.
class Incidence {
public:
    struct Corner {
        int element = 0;
        int corner = 0;
    };

    Incidence() = default;
    template <int Corners>
    Incidence(const Rows<int, Corners>& elements, int vertex_count)
        : starts_(static_cast<size_t>(vertex_count) + 1, 0) {
        for (const int v : elements.reshaped()) ++starts_[static_cast<size_t>(v) + 1];
        for (size_t v = 0; v + 1 < starts_.size(); ++v) starts_[v + 1] += starts_[v];
        corners_.resize(static_cast<size_t>(elements.size()));
        std::vector<int> next(starts_.begin(), starts_.end() - 1);
        for (int e = 0; e < elements.rows(); ++e)
            for (int c = 0; c < Corners; ++c)
                corners_[static_cast<size_t>(next[static_cast<size_t>(elements(e, c))]++)] = {e, c};
    }

    std::span<const Corner> around(long vertex) const {
        const auto begin = static_cast<size_t>(starts_[static_cast<size_t>(vertex)]);
        const auto end = static_cast<size_t>(starts_[static_cast<size_t>(vertex) + 1]);
        return {corners_.data() + begin, end - begin};
    }

private:
    std::vector<int> starts_;  // |V|+1
    std::vector<Corner> corners_;
};

}  // namespace tulle::physics
