// SPDX-License-Identifier: Apache-2.0
// A hierarchy of boxes whose shape never changes: the parts are sorted once along a space-filling curve through the
// rest shape, so that neighbours on the cloth share branches; afterwards only the boxes are refitted.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace tulle::collision {

struct Box {
    std::array<float, 3> low{};
    std::array<float, 3> high{};

    // All six without a branch, which a processor would guess wrong; as integers, so that & is not taken for a slip.
    bool overlaps(const Box& other) const {
        return (int{low[0] <= other.high[0]} & int{other.low[0] <= high[0]} & int{low[1] <= other.high[1]} &
                int{other.low[1] <= high[1]} & int{low[2] <= other.high[2]} & int{other.low[2] <= high[2]}) != 0;
    }
    bool contains(const Vector3& point) const {
        return (int{point.x() >= low[0]} & int{point.x() <= high[0]} & int{point.y() >= low[1]} &
                int{point.y() <= high[1]} & int{point.z() >= low[2]} & int{point.z() <= high[2]}) != 0;
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
    static constexpr long width = 4;      // children of a node
    static constexpr long leaf_size = 8;  // parts of a leaf

    BoxTree() = default;
    explicit BoxTree(const Positions& part_centers);  // |P|×3, at rest

    long leaf_count() const { return static_cast<long>(leaves_.size()); }
    long part_count() const { return static_cast<long>(order_.size()); }
    int part(long slot) const { return order_[static_cast<size_t>(slot)]; }
    Box box(long slot) const { return leaves_[static_cast<size_t>(slot / leaf_size)].get(slot % leaf_size); }

    // box_of(part) gives the new box of each part. Parallel.
    template <typename BoxOf>
    void refit(const BoxOf& box_of);

    // visit(slot, other_slot) for each part of the leaf and each part of the other tree, in its leaves from `first` on,
    // whose boxes overlap.
    template <typename Visit>
    void visit_overlaps(long leaf, const BoxTree& other, long first, const Visit& visit) const;

    // visit(slot) for each part whose box overlaps the given one.
    template <typename Visit>
    void visit_overlaps(const Box& box, const Visit& visit) const;

    // visit(part) for each part whose box is not farther from the point than the square root of `reach_squared`,
    // roughly from near to far, in an order that depends on the boxes alone. A visit may shorten the reach.
    template <typename Visit>
    void visit_near(const Vector3& point, const double& reach_squared, const Visit& visit) const {
        if (!levels_.empty()) visit_near(point, reach_squared, levels_.size() - 1, 0, visit);
    }

private:
    // Four boxes side by side, so that one is compared with all of them at once. Empty places overlap nothing.
    struct FourBoxes {
        using Floats [[gnu::vector_size(16)]] = float;
        using Bits [[gnu::vector_size(16)]] = int;

        Floats low[3];
        Floats high[3];

        FourBoxes();
        void set(long place, const Box& box);
        Box get(long place) const;
        Box around() const;
        unsigned overlaps(const Box& box) const;                             // one bit for each place
        std::array<float, 4> squared_distances(const Vector3& point) const;  // or a little less [m²]
    };
    struct Leaf {
        std::array<FourBoxes, leaf_size / 4> fours;

        void set(long place, const Box& box) { fours[static_cast<size_t>(place / 4)].set(place % 4, box); }
        Box get(long place) const { return fours[static_cast<size_t>(place / 4)].get(place % 4); }
        unsigned overlaps(const Box& box) const { return fours[0].overlaps(box) | fours[1].overlaps(box) << 4; }
    };

    template <typename Visit>
    void visit_leaves(const Box& box, long first, size_t level, long parent, const Visit& visit) const;
    template <typename Visit>
    void visit_near(const Vector3& point, const double& reach_squared, size_t level, long first,
                    const Visit& visit) const;
    void refit_levels();

    std::vector<int> order_;  // slot → part
    std::vector<Leaf> leaves_;
    // Around the leaves first, the root last; node i is number i % width of its four.
    std::vector<std::vector<FourBoxes>> levels_;
    Box node_box(size_t level, long node) const {
        return levels_[level][static_cast<size_t>(node / width)].get(node % width);
    }
};

inline unsigned BoxTree::FourBoxes::overlaps(const Box& box) const {
    const Bits hit = (low[0] <= box.high[0]) & (high[0] >= box.low[0]) & (low[1] <= box.high[1]) &
                     (high[1] >= box.low[1]) & (low[2] <= box.high[2]) & (high[2] >= box.low[2]);
    const Bits bits = hit & Bits{1, 2, 4, 8};
    return static_cast<unsigned>(bits[0] | bits[1] | bits[2] | bits[3]);
}

inline Box BoxTree::FourBoxes::get(long place) const {
    return {{low[0][place], low[1][place], low[2][place]}, {high[0][place], high[1][place], high[2][place]}};
}

// Never above the true ones: what single precision loses of the point is taken off first.
inline std::array<float, 4> BoxTree::FourBoxes::squared_distances(const Vector3& point) const {
    constexpr float lost = 2e-7F;
    Floats sums{};
    for (long k = 0; k < 3; ++k) {
        const auto x = static_cast<float>(point(k));
        const float slack = lost * std::abs(x);
        const Floats below = low[k] - (x + slack), above = (x - slack) - high[k];
        const Floats beyond = below > above ? below : above;
        sums += beyond > Floats{} ? beyond * beyond : Floats{};
    }
    sums *= 1 - 4 * lost;
    return {sums[0], sums[1], sums[2], sums[3]};
}

template <typename BoxOf>
void BoxTree::refit(const BoxOf& box_of) {
    parallel_for(part_count(), [&](long slot) {
        leaves_[static_cast<size_t>(slot / leaf_size)].set(slot % leaf_size, box_of(part(slot)));
    });
    refit_levels();
}

template <typename Visit>
void BoxTree::visit_overlaps(long leaf, const BoxTree& other, long first, const Visit& visit) const {
    if (other.levels_.empty()) return;
    const Leaf& own = leaves_[static_cast<size_t>(leaf)];
    const Box around = node_box(0, leaf);
    other.visit_leaves(around, first, other.levels_.size() - 1, 0, [&](long other_leaf) {
        const Leaf& theirs = other.leaves_[static_cast<size_t>(other_leaf)];
        for (unsigned near = own.overlaps(other.node_box(0, other_leaf)); near != 0; near &= near - 1) {
            const long i = std::countr_zero(near);
            for (unsigned hits = theirs.overlaps(own.get(i)); hits != 0; hits &= hits - 1)
                visit(leaf * leaf_size + i, other_leaf * leaf_size + std::countr_zero(hits));
        }
    });
}

template <typename Visit>
void BoxTree::visit_overlaps(const Box& box, const Visit& visit) const {
    if (levels_.empty()) return;
    visit_leaves(box, 0, levels_.size() - 1, 0, [&](long leaf) {
        for (unsigned hits = leaves_[static_cast<size_t>(leaf)].overlaps(box); hits != 0; hits &= hits - 1)
            visit(leaf * leaf_size + std::countr_zero(hits));
    });
}

// The leaves, from `first` on, below the children of a node. Empty places overlap nothing.
template <typename Visit>
void BoxTree::visit_leaves(const Box& box, long first, size_t level, long parent, const Visit& visit) const {
    long leaves_below = 1;
    for (size_t k = 0; k < level; ++k) leaves_below *= width;
    for (unsigned hits = levels_[level][static_cast<size_t>(parent)].overlaps(box); hits != 0; hits &= hits - 1) {
        const long node = parent * width + std::countr_zero(hits);
        if ((node + 1) * leaves_below <= first) continue;
        if (level == 0)
            visit(node);
        else
            visit_leaves(box, first, level - 1, node, visit);
    }
}

// The siblings from `first` on, the nearest of them first.
template <typename Visit>
void BoxTree::visit_near(const Vector3& point, const double& reach_squared, size_t level, long first,
                         const Visit& visit) const {
    constexpr double farthest = std::numeric_limits<float>::max();  // empty places are infinitely far
    const auto distances = levels_[level][static_cast<size_t>(first / width)].squared_distances(point);
    std::array<size_t, width> near;  // the siblings within reach, sorted as they come
    size_t count = 0;
    for (size_t i = 0; i < width; ++i) {
        if (!(distances[i] <= std::min(reach_squared, farthest))) continue;
        size_t place = count++;
        for (; place > 0 && distances[i] < distances[near[place - 1]]; --place) near[place] = near[place - 1];
        near[place] = i;
    }
    for (size_t i = 0; i < count; ++i) {
        if (distances[near[i]] > reach_squared) return;
        const long node = first + static_cast<long>(near[i]);
        if (level > 0) {
            visit_near(point, reach_squared, level - 1, node * width, visit);
            continue;
        }
        const Leaf& leaf = leaves_[static_cast<size_t>(node)];
        for (size_t four = 0; four < leaf.fours.size(); ++four) {
            const auto parts = leaf.fours[four].squared_distances(point);
            for (size_t place = 0; place < 4; ++place)
                if (parts[place] <= std::min(reach_squared, farthest))
                    visit(part(node * leaf_size + static_cast<long>(4 * four + place)));
        }
    }
}

}  // namespace tulle::collision
