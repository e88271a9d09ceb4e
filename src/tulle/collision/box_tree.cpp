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
    leaves_.resize((order_.size() + leaf_size - 1) / leaf_size);
    for (size_t nodes = leaves_.size(); levels_.empty() || nodes > 1;) {
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

Box BoxTree::FourBoxes::around() const {
    Box box = get(0);
    for (long place = 1; place < width; ++place) box.extend(get(place));
    return box;
}

void BoxTree::refit_levels() {
    if (levels_.empty()) return;
    parallel_for(static_cast<long>(levels_.front().size()), [&](long four) {
        for (long leaf = four * width; leaf < std::min((four + 1) * width, leaf_count()); ++leaf) {
            Box box = leaves_[static_cast<size_t>(leaf)].fours[0].around();
            box.extend(leaves_[static_cast<size_t>(leaf)].fours[1].around());
            levels_.front()[static_cast<size_t>(four)].set(leaf % width, box);
        }
    });
    for (size_t level = 1; level < levels_.size(); ++level)
        for (size_t node = 0; node < levels_[level - 1].size(); ++node)
            levels_[level][node / width].set(static_cast<long>(node % width), levels_[level - 1][node].around());
}

}  // namespace tulle::collision
