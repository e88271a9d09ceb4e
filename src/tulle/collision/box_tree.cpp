// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/box_tree.h"

#include <cstdint>
#include <limits>
#include <numeric>

namespace tulle::collision {

namespace {

// The lowest 21 bits of x with two zeros between neighbours.
std::uint64_t spread_bits(std::uint64_t x) {
    std::uint64_t result = 0;
    for (int bit = 0; bit < 21; ++bit) result |= (x >> bit & 1) << (3 * bit);
    return result;
}

std::vector<std::uint64_t> morton_codes(const Positions& points) {
    const Eigen::RowVector3d low = points.colwise().minCoeff();
    const double size = std::max((points.colwise().maxCoeff() - low).maxCoeff(), 1e-30);
    std::vector<std::uint64_t> codes(static_cast<size_t>(points.rows()));
    for (long i = 0; i < points.rows(); ++i) {
        const Eigen::RowVector3d unit = (points.row(i) - low) / size;
        std::uint64_t code = 0;
        for (int axis = 0; axis < 3; ++axis)
            code |= spread_bits(static_cast<std::uint64_t>(unit(axis) * double{(1 << 21) - 1})) << axis;
        codes[static_cast<size_t>(i)] = code;
    }
    return codes;
}

}  // namespace

BoxTree::BoxTree(const Positions& part_centers) {
    if (part_centers.rows() == 0) return;
    const std::vector<std::uint64_t> codes = morton_codes(part_centers);
    order_.resize(codes.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return codes[static_cast<size_t>(a)] < codes[static_cast<size_t>(b)]; });
    size_t nodes = (order_.size() + leaf_size - 1) / leaf_size;
    leaves_.resize(nodes);
    levels_.emplace_back(nodes);
    while (nodes > 1) {
        nodes = (nodes + width - 1) / width;
        levels_.emplace_back(nodes);
    }
}

BoxTree::FourBoxes::FourBoxes() {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (size_t k = 0; k < 3; ++k) {
        low[k] = Floats{infinity, infinity, infinity, infinity};
        high[k] = -low[k];
    }
}

void BoxTree::FourBoxes::set(long place, const Box& box) {
    for (size_t k = 0; k < 3; ++k) {
        low[k][place] = box.low[k];
        high[k][place] = box.high[k];
    }
}

void BoxTree::refit_levels() {
    parallel_for(leaf_count(), [&](long leaf) {
        const Leaf& parts = leaves_[static_cast<size_t>(leaf)];
        Box box = parts.get(0);
        for (long place = 1; place < leaf_size; ++place) box.extend(parts.get(place));
        levels_.front()[static_cast<size_t>(leaf)] = box;
    });
    for (size_t level = 1; level < levels_.size(); ++level) {
        const std::vector<Box>& below = levels_[level - 1];
        for (size_t node = 0; node < levels_[level].size(); ++node) {
            Box box = below[node * width];
            for (size_t child = node * width + 1; child < std::min(below.size(), (node + 1) * width); ++child)
                box.extend(below[child]);
            levels_[level][node] = box;
        }
    }
}

}  // namespace tulle::collision
