// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/motion_patches.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <set>

namespace tulle::collision {

namespace {

constexpr long patch_size = 16;
constexpr double far_in_edges = 5;
constexpr double rounding = 1e-6;  // [m]

Box grown(Box box, double by) {
    for (size_t k = 0; k < 3; ++k) {
        box.low[k] -= static_cast<float>(by);
        box.high[k] += static_cast<float>(by);
    }
    return box;
}

double gap(const Box& a, const Box& b) {
    double squared = 0;
    for (size_t k = 0; k < 3; ++k) {
        const double along = std::max({0.0F, a.low[k] - b.high[k], b.low[k] - a.high[k]});
        squared += along * along;
    }
    return std::sqrt(squared);
}

}  // namespace

MotionPatches::MotionPatches(const ClothParts& parts, const BoxTree& vertex_order)
    : mean_edge_length_(parts.mean_edge_length()) {
    const long count = vertex_order.part_count();
    patch_of_.resize(static_cast<size_t>(count));
    for (long slot = 0; slot < count; ++slot) {
        if (slot % patch_size == 0) patches_.push_back({.first = static_cast<int>(slot), .last = 0, .ring = {}});
        vertices_.push_back(vertex_order.part(slot));
        patch_of_[static_cast<size_t>(vertices_.back())] = static_cast<int>(patches_.size()) - 1;
        patches_.back().last = static_cast<int>(slot) + 1;
    }
    find_rings(parts);
    Positions centers(static_cast<long>(patches_.size()), 3);
    for (size_t p = 0; p < patches_.size(); ++p)
        centers.row(static_cast<long>(p)) = parts.rest_positions.row(vertices_[static_cast<size_t>(patches_[p].first)]);
    tree_ = BoxTree(centers);
    shifts_.resize(patches_.size());
    boxes_.resize(patches_.size());
}

void MotionPatches::find_rings(const ClothParts& parts) {
    std::vector<std::set<int>> rings(patches_.size());
    for (long e = 0; e < parts.edges.rows(); ++e) {
        const int v = parts.edges(e, 0), w = parts.edges(e, 1);
        const auto a = static_cast<size_t>(patch_of_[static_cast<size_t>(v)]);
        const auto b = static_cast<size_t>(patch_of_[static_cast<size_t>(w)]);
        if (a == b) continue;
        rings[a].insert(w);
        rings[b].insert(v);
    }
    for (size_t p = 0; p < patches_.size(); ++p) patches_[p].ring.assign(rings[p].begin(), rings[p].end());
}

Box MotionPatches::box_of(const Patch& patch) const {
    Eigen::AlignedBox3d box;
    for (int i = patch.first; i < patch.last; ++i) box.extend(Vector3(earlier_.row(vertices_[static_cast<size_t>(i)])));
    for (const int v : patch.ring) box.extend(Vector3(earlier_.row(v)));
    return grown(
        {{static_cast<float>(box.min().x()), static_cast<float>(box.min().y()), static_cast<float>(box.min().z())},
         {static_cast<float>(box.max().x()), static_cast<float>(box.max().y()), static_cast<float>(box.max().z())}},
        rounding);
}

void MotionPatches::remember(const Positions& positions, double thickness, double reach) {
    earlier_ = positions;
    far_ = reach + far_in_edges * mean_edge_length_;
    parallel_for(static_cast<long>(patches_.size()),
                 [&](long p) { boxes_[static_cast<size_t>(p)] = box_of(patches_[static_cast<size_t>(p)]); });
    tree_.refit([&](int p) { return grown(boxes_[static_cast<size_t>(p)], 0.5 * (far_ + thickness)); });
    near_pairs_.clear();
    for (long leaf = 0; leaf < tree_.leaf_count(); ++leaf)
        tree_.visit_overlaps(leaf, tree_, leaf, [&](long i, long j) {
            if (j < i) return;
            const int a = tree_.part(i), b = tree_.part(j);
            const double apart = gap(boxes_[static_cast<size_t>(a)], boxes_[static_cast<size_t>(b)]);
            near_pairs_.push_back({a, b, std::max(reach, apart - thickness)});
        });
}

// Two parts that begin in patches a and b were d apart; while they move, that changes by no more than the difference of
// the patches' mean displacements plus what their vertices stray from those.
bool MotionPatches::still_apart(const Positions& start, const Positions& end) {
    const long count = static_cast<long>(patches_.size());
    parallel_for(count, [&](long p) {
        shifts_[static_cast<size_t>(p)] = shift_of(patches_[static_cast<size_t>(p)], start, end);
    });
    Shift mean;
    for (const Shift& shift : shifts_) {
        mean.start += shift.start / static_cast<double>(count);
        mean.end += shift.end / static_cast<double>(count);
    }
    double farthest = 0;
    for (const Shift& shift : shifts_) {
        const double apart = std::max((shift.start - mean.start).norm(), (shift.end - mean.end).norm());
        farthest = std::max(farthest, shift.stray + apart);
    }
    if (!(2 * farthest <= far_)) return false;
    return std::all_of(near_pairs_.begin(), near_pairs_.end(), [&](const NearPair& pair) {
        const Shift& a = shifts_[static_cast<size_t>(pair.first)];
        const Shift& b = shifts_[static_cast<size_t>(pair.second)];
        const double room = pair.allowed - a.stray - b.stray;
        return room >= 0 && std::max((a.start - b.start).squaredNorm(), (a.end - b.end).squaredNorm()) <= room * room;
    });
}

MotionPatches::Shift MotionPatches::shift_of(const Patch& patch, const Positions& start, const Positions& end) const {
    Shift shift;
    const double share = 1.0 / (patch.last - patch.first);
    for (int i = patch.first; i < patch.last; ++i) {
        const int v = vertices_[static_cast<size_t>(i)];
        shift.start += share * (start.row(v) - earlier_.row(v));
        shift.end += share * (end.row(v) - earlier_.row(v));
    }
    double stray_squared = 0;
    const auto consider = [&](int v) {
        const Vector3 from = (start.row(v) - earlier_.row(v)).transpose() - shift.start;
        const Vector3 to = (end.row(v) - earlier_.row(v)).transpose() - shift.end;
        stray_squared = std::max({stray_squared, from.squaredNorm(), to.squaredNorm()});
    };
    for (int i = patch.first; i < patch.last; ++i) consider(vertices_[static_cast<size_t>(i)]);
    for (const int v : patch.ring) consider(v);
    shift.stray = std::sqrt(stray_squared) + rounding;
    return shift;
}

}  // namespace tulle::collision
