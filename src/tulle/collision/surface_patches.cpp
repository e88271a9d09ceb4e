// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/surface_patches.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tulle::collision {

namespace {

constexpr double overhang = 0.34;  // cosine: triangles that lean less than 70° from one direction hide nothing of it

// cos(a + b) of two angles given by their cosines; −1 beyond a right angle each.
double cosine_of_sum(double a, double b) {
    if (!(a > 0 && b > 0)) return -1;
    return a * b - std::sqrt(std::max(0.0, (1 - a * a) * (1 - b * b)));
}

Vector3 normal_of(const std::array<int, 3>& triangle, const Positions& positions) {
    const Vector3 a = positions.row(triangle[0]), b = positions.row(triangle[1]), c = positions.row(triangle[2]);
    return (b - a).cross(c - a);
}

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

}  // namespace

bool SurfacePatches::Slab::hides_nothing(const Vector3& direction) const {
    return cosine_of_sum(direction.dot(normal), lean) > overhang;
}

SurfacePatches::SurfacePatches(const Positions& rest_positions, const Triangles& triangles,
                               const std::vector<std::array<int, 3>>& corners)
    : at_corner_(static_cast<size_t>(rest_positions.rows())),
      at_vertex_(at_corner_.size()),
      is_smooth_(at_corner_.size(), 0) {
    std::map<std::array<int, 3>, size_t> known;
    for (size_t t = 0; t < corners.size(); ++t) {
        const auto [found, is_new] = known.try_emplace(corners[t], patches_.size());
        if (is_new) patches_.push_back({.corners = corners[t], .vertices = {}, .triangles = {}, .edges = {}});
        Patch& patch = patches_[found->second];
        const auto r = static_cast<long>(t);
        const std::array<int, 3> own = {triangles(r, 0), triangles(r, 1), triangles(r, 2)};
        patch.triangles.push_back(own);
        for (size_t k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(own[k], own[(k + 1) % 3]);
            add_once(patch.vertices, own[k]);
            add_once(patch.edges, {low, high});
        }
    }
    Positions centers = Positions::Zero(count(), 3);
    for (int p = 0; p < count(); ++p) {
        for (const int v : patches_[static_cast<size_t>(p)].vertices) at_vertex_[static_cast<size_t>(v)].push_back(p);
        for (const int v : patches_[static_cast<size_t>(p)].corners) {
            at_corner_[static_cast<size_t>(v)].push_back(p);
            centers.row(p) += rest_positions.row(v) / 3;
        }
    }
    slabs_.resize(patches_.size());
    boxes_.resize(patches_.size());
    tree_ = BoxTree(centers);
}

std::vector<int> SurfacePatches::of_vertices(std::span<const int> vertices) const {
    std::vector<int> found;
    for (const int v : vertices)
        found.insert(found.end(), at_vertex_[static_cast<size_t>(v)].begin(), at_vertex_[static_cast<size_t>(v)].end());
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

std::vector<std::pair<int, int>> SurfacePatches::find_pairs(const Positions& start, const Positions& end, double gap,
                                                            const std::vector<int>& among) {
    parallel_for(static_cast<long>(among.size()),
                 [&](long i) { look_at(among[static_cast<size_t>(i)], start, end, gap); });
    find_smooth_corners();
    tree_.refit([&](int p) { return boxes_[static_cast<size_t>(p)]; });
    std::vector<std::pair<int, int>> found;
    const auto find = [&](long pieces, const auto& visit_pairs_of) {
        const auto find_range = [&](long first, long last) {
            std::vector<std::pair<int, int>> own;
            const auto consider = [&](int p, int q) {
                if (!stay_apart(p, q, start, end, gap)) own.emplace_back(std::min(p, q), std::max(p, q));
            };
            for (long i = first; i < last; ++i) visit_pairs_of(i, consider);
#pragma omp critical(tulle_surface_patches)
            found.insert(found.end(), own.begin(), own.end());
        };
        parallel_ranges(pieces, find_range, /*grain=*/32);
    };
    if (static_cast<int>(among.size()) == count())
        find(tree_.leaf_count(), [&](long leaf, const auto& consider) { visit_pairs_of_leaf(leaf, consider); });
    else
        find(static_cast<long>(among.size()), [&, is_among = marked(among)](long i, const auto& consider) {
            visit_pairs_of_patch(among[static_cast<size_t>(i)], is_among, consider);
        });
    std::sort(found.begin(), found.end());
    return found;
}

template <typename Visit>
void SurfacePatches::visit_pairs_of_leaf(long leaf, const Visit& visit) const {
    tree_.visit_overlaps(leaf, tree_, leaf, [&](long i, long j) {
        if (i <= j) visit(tree_.part(i), tree_.part(j));
    });
}

// Those of two marked patches only once.
template <typename Visit>
void SurfacePatches::visit_pairs_of_patch(int patch, const std::vector<char>& is_marked, const Visit& visit) const {
    tree_.visit_overlaps(boxes_[static_cast<size_t>(patch)], [&](long slot) {
        const int other = tree_.part(slot);
        if (!is_marked[static_cast<size_t>(other)] || patch <= other) visit(patch, other);
    });
}

std::vector<char> SurfacePatches::marked(const std::vector<int>& patches) const {
    std::vector<char> marks(patches_.size(), 0);
    for (const int p : patches) marks[static_cast<size_t>(p)] = 1;
    return marks;
}

void SurfacePatches::look_at(int p, const Positions& start, const Positions& end, double gap) {
    const Patch& patch = (*this)[p];
    slabs_[static_cast<size_t>(p)] = slab_of(patch, start, end);
    Eigen::AlignedBox3d around;
    for (const int v : patch.vertices) around.extend(Vector3(end.row(v)));
    for (const int v : patch.corners) around.extend(Vector3(start.row(v)));
    // Room for what single precision loses.
    const double room = 0.5 * gap + 1e-6 * around.min().cwiseAbs().cwiseMax(around.max().cwiseAbs()).maxCoeff();
    Box& box = boxes_[static_cast<size_t>(p)];
    for (size_t k = 0; k < 3; ++k) {
        box.low[k] = static_cast<float>(around.min()(static_cast<long>(k)) - room);
        box.high[k] = static_cast<float>(around.max()(static_cast<long>(k)) + room);
    }
}

SurfacePatches::Slab SurfacePatches::slab_of(const Patch& patch, const Positions& start, const Positions& end) const {
    Slab slab;
    slab.normal = normal_of(patch.triangles.front(), start).normalized();
    slab.height = slab.normal.dot(start.row(patch.corners[0]));
    slab.low = slab.high = slab.height;
    for (const int v : patch.vertices) {
        const double height = slab.normal.dot(end.row(v));
        slab.low = std::min(slab.low, height);
        slab.high = std::max(slab.high, height);
    }
    for (const std::array<int, 3>& triangle : patch.triangles) {
        const Vector3 normal = normal_of(triangle, end);
        const double length = normal.norm();
        slab.lean = std::min(slab.lean, length > 0 ? slab.normal.dot(normal) / length : -1);
    }
    return slab;
}

// If no triangle around a corner leans far from their common direction, they lie side by side as seen from there: none
// can pass through another.
void SurfacePatches::find_smooth_corners() {
    parallel_for(static_cast<long>(at_corner_.size()), [&](long v) {
        const std::vector<int>& around = at_corner_[static_cast<size_t>(v)];
        if (around.empty()) return;
        Vector3 common = Vector3::Zero();
        for (const int p : around) common += slabs_[static_cast<size_t>(p)].normal;
        common.normalize();
        is_smooth_[static_cast<size_t>(v)] = std::all_of(
            around.begin(), around.end(), [&](int p) { return slabs_[static_cast<size_t>(p)].hides_nothing(common); });
    });
}

// Whether no part of one can meet a part of the other, by what is quickly known.
bool SurfacePatches::stay_apart(int p, int q, const Positions& start, const Positions& end, double gap) const {
    const Patch &a = (*this)[p], &b = (*this)[q];
    const Slab &slab_a = slabs_[static_cast<size_t>(p)], &slab_b = slabs_[static_cast<size_t>(q)];
    int shared = 0, corner = -1;
    for (const int v : a.corners) {
        if (std::find(b.corners.begin(), b.corners.end(), v) == b.corners.end()) continue;
        if (is_smooth_[static_cast<size_t>(v)]) return true;
        corner = v;
        ++shared;
    }
    if (shared >= 2) {  // a hill of two, or of one
        const Vector3 common = (slab_a.normal + slab_b.normal).normalized();
        return slab_a.hides_nothing(common) && slab_b.hides_nothing(common);
    }
    if (lie_side_by_side(a, b, corner, start, end, gap)) return true;
    return shared == 0 && (plane_separates(slab_a, b, start, end, gap) || plane_separates(slab_b, a, start, end, gap));
}

// Whether a plane across the way from one middle to the other separates them at the start, and a parallel one at the
// end; if they share a corner, both planes go through that.
bool SurfacePatches::lie_side_by_side(const Patch& a, const Patch& b, int shared_corner, const Positions& start,
                                      const Positions& end, double gap) const {
    Vector3 direction = Vector3::Zero();
    for (size_t k = 0; k < 3; ++k) direction += (start.row(a.corners[k]) - start.row(b.corners[k])).transpose();
    direction.normalize();
    const auto are_apart = [&](const auto& own, const auto& others, const Positions& positions, double least) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const int v : own)
            if (v != shared_corner) low = std::min(low, direction.dot(positions.row(v)));
        for (const int v : others)
            if (v != shared_corner) high = std::max(high, direction.dot(positions.row(v)));
        if (shared_corner < 0) return low > high + least;
        const double between = direction.dot(positions.row(shared_corner));
        return low > between && between > high;
    };
    return are_apart(a.corners, b.corners, start, 0) && are_apart(a.vertices, b.vertices, end, gap);
}

// The whole way, because heights change evenly.
bool SurfacePatches::plane_separates(const Slab& slab, const Patch& other, const Positions& start, const Positions& end,
                                     double gap) const {
    double low = slab.normal.dot(start.row(other.corners[0])), high = low;
    for (const int v : other.corners) {
        const double height = slab.normal.dot(start.row(v));
        low = std::min(low, height);
        high = std::max(high, height);
    }
    if (!(low > slab.height) && !(high < slab.height)) return false;
    const bool is_above = low > slab.height;
    for (const int v : other.vertices) {
        const double height = slab.normal.dot(end.row(v));
        if (is_above ? height < slab.high + gap : height > slab.low - gap) return false;
    }
    return true;
}

}  // namespace tulle::collision
