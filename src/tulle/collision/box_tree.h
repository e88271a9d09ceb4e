// SPDX-License-Identifier: Apache-2.0
// A hierarchy of boxes whose shape never changes: the parts are sorted once along a space-filling curve through the
// rest shape, so that neighbours on the cloth share branches; afterwards only the boxes are refitted.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <array>
#include <ranges>
#include <vector>

namespace tulle::collision {

struct Box {
    std::array<float, 3> low{};
    std::array<float, 3> high{};

    bool overlaps(const Box& other) const {
        return (low[0] <= other.high[0]) & (other.low[0] <= high[0]) & (low[1] <= other.high[1]) &
               (other.low[1] <= high[1]) & (low[2] <= other.high[2]) & (other.low[2] <= high[2]);
    }
    bool contains(const Vector3& point) const {
        return (point.x() >= low[0]) & (point.x() <= high[0]) & (point.y() >= low[1]) & (point.y() <= high[1]) &
               (point.z() >= low[2]) & (point.z() <= high[2]);
    }
    void extend(const Box& other) {
        for (size_t k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], other.low[k]);
            high[k] = std::max(high[k], other.high[k]);
        }
    }
};

class BoxTree {
public:
    static constexpr int width = 4;      // children of a node
    static constexpr int leaf_size = 8;  // parts of a leaf

    BoxTree() = default;
    explicit BoxTree(const Positions& part_centers);  // |P|×3, at rest

    long leaf_count() const { return levels_.empty() ? 0 : static_cast<long>(levels_.front().size()); }
    long part_count() const { return static_cast<long>(order_.size()); }
    int part(long slot) const { return order_[static_cast<size_t>(slot)]; }
    auto slots(long leaf) const {
        return std::views::iota(leaf * leaf_size, std::min((leaf + 1) * leaf_size, part_count()));
    }
    const Box& part_box(long slot) const { return boxes_[static_cast<size_t>(slot)]; }
    const Box& leaf_box(long leaf) const { return levels_.front()[static_cast<size_t>(leaf)]; }

    // box_of(part) gives the new box of each part. Parallel.
    template <typename BoxOf>
    void refit(const BoxOf& box_of);

    // visit(leaf) for each leaf from `first` on whose box overlaps, in ascending order.
    template <typename Visit>
    void visit_leaves(const Box& box, long first, const Visit& visit) const {
        if (!levels_.empty()) descend(box, first, static_cast<int>(levels_.size()) - 1, 0, 1, visit);
    }

private:
    template <typename Visit>
    void descend(const Box& box, long first, int level, long begin, long end, const Visit& visit) const;
    void refit_levels();
    void refit_leaf(long leaf);

    std::vector<int> order_;                // slot → part
    std::vector<Box> boxes_;                // by slot
    std::vector<std::vector<Box>> levels_;  // leaves first, root last
};

template <typename BoxOf>
void BoxTree::refit(const BoxOf& box_of) {
    parallel_for(part_count(), [&](long slot) { boxes_[static_cast<size_t>(slot)] = box_of(part(slot)); });
    refit_levels();
}

template <typename Visit>
void BoxTree::descend(const Box& box, long first, int level, long begin, long end, const Visit& visit) const {
    const std::vector<Box>& nodes = levels_[static_cast<size_t>(level)];
    long leaves_below = 1;
    for (int k = 0; k < level; ++k) leaves_below *= width;
    for (long node = begin; node < end; ++node) {
        if ((node + 1) * leaves_below <= first || !nodes[static_cast<size_t>(node)].overlaps(box)) continue;
        if (level == 0) {
            visit(node);
        } else {
            const long below = static_cast<long>(levels_[static_cast<size_t>(level) - 1].size());
            descend(box, first, level - 1, node * width, std::min(below, (node + 1) * width), visit);
        }
    }
}

}  // namespace tulle::collision
