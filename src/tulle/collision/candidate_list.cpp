// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/candidate_list.h"

#include "tulle/core/parallel.h"

#include <atomic>
#include <cmath>

namespace tulle::collision {

namespace {

constexpr double margin_per_edge = 0.12;  // neighbours on a flat grid, 0.6 edges apart, are then left out
constexpr double path_per_edge = 0.5;     // the mean length of a path is at most this
constexpr double longest_path = 4;        // steps
constexpr double few = 0.02;              // of the vertices may stray before the whole list is built anew
constexpr long block = 16;                // vertices whose paths are parallel

template <int Count>
Positions part_centers(const Rows<int, Count>& vertices, const Positions& positions) {
    Positions centers = Positions::Zero(vertices.rows(), 3);
    for (long i = 0; i < vertices.rows(); ++i)
        for (const int v : vertices.row(i)) centers.row(i) += positions.row(v) / Count;
    return centers;
}

Box grown(Box box, double by) {
    for (size_t k = 0; k < 3; ++k) {
        box.low[k] -= static_cast<float>(by);
        box.high[k] += static_cast<float>(by);
    }
    return box;
}

template <size_t Count>
std::vector<std::array<int, Count>> by_slot(const BoxTree& tree, const Rows<int, Count>& vertices) {
    std::vector<std::array<int, Count>> result(static_cast<size_t>(tree.part_count()));
    for (size_t slot = 0; slot < result.size(); ++slot)
        for (size_t k = 0; k < Count; ++k)
            result[slot][k] = vertices(tree.part(static_cast<long>(slot)), static_cast<long>(k));
    return result;
}

using RowMap = Eigen::Map<const Eigen::Vector3f>;
RowMap row(const std::vector<float>& rows, long v) { return RowMap(rows.data() + 4 * v); }
void set_row(std::vector<float>& rows, long v, const Eigen::Vector3f& value) {
    Eigen::Map<Eigen::Vector3f>(rows.data() + 4 * v) = value;
}

}  // namespace

CandidateList::CandidateList(const ClothParts& parts, double thickness)
    : parts_(parts),
      thickness_(thickness),
      mean_edge_length_(parts.mean_edge_length()),
      widest_margin_(std::max(margin_per_edge * mean_edge_length_, 0.25 * thickness)),
      vertex_tree_(parts.rest_positions),
      triangle_tree_(part_centers<3>(parts.triangles, parts.rest_positions)),
      edge_tree_(part_centers<2>(parts.edges, parts.rest_positions)),
      triangles_by_slot_(by_slot<3>(triangle_tree_, parts.triangles)),
      edges_by_slot_(by_slot<2>(edge_tree_, parts.edges)),
      patches_(parts, vertex_tree_),
      roam_(static_cast<size_t>(parts.rest_positions.rows())),
      strayed_(roam_.size()),
      boxes_(roam_.size()),
      has_triangles_(roam_.size(), 0) {
    for (const int v : parts.triangles.reshaped()) has_triangles_[static_cast<size_t>(v)] = 1;
}

bool CandidateList::cover(const Positions& start, const Positions& end) {
    load_motion(start, end);
    by_patches_ = false;
    if (!path_starts_.empty()) {
        measure_straying();
        if (strays_ == 0) return false;
        by_patches_ = patches_know_ && patches_.still_apart(start, end);
        if (by_patches_) return false;
    }
    const bool many = static_cast<double>(strays_) > few * static_cast<double>(roam_.size());
    if (path_starts_.empty() || many)
        build(start);
    else
        follow_strays();
    return true;
}

void CandidateList::load_motion(const Positions& start, const Positions& end) {
    const Eigen::RowVector3d start_middle = middle(start), end_middle = middle(end);
    start_rows_.resize(4 * static_cast<size_t>(start.rows()));
    end_rows_.resize(start_rows_.size());
    parallel_for(start.rows(), [&](long v) {
        for (long k = 0; k < 3; ++k) {
            start_rows_[static_cast<size_t>(4 * v + k)] = static_cast<float>(start(v, k) - start_middle(k));
            end_rows_[static_cast<size_t>(4 * v + k)] = static_cast<float>(end(v, k) - end_middle(k));
        }
    });
}

// Paths say nothing of time: where on them the vertices are is what fits best.
double CandidateList::steps_along_paths(const std::vector<float>& rows) const {
    const long count = static_cast<long>(strayed_.size());
    const double along = parallel_sum(count, [&](long v) {
        return static_cast<double>(row(path_steps_, v).dot(row(rows, v) - row(path_starts_, v)));
    });
    const double whole =
        parallel_sum(count, [&](long v) { return static_cast<double>(row(path_steps_, v).squaredNorm()); });
    return whole > 0 ? std::clamp(along / whole, 0.0, path_length_) : 0;
}

void CandidateList::measure_straying() {
    start_step_ = steps_along_paths(start_rows_);
    end_step_ = steps_along_paths(end_rows_);
    const auto start_step = static_cast<float>(start_step_), end_step = static_cast<float>(end_step_);
    std::atomic<long> strays = 0;
    parallel_ranges(static_cast<long>(strayed_.size()), [&](long first, long last) {
        long count = 0;
        for (long v = first; v < last; ++v) {
            const Eigen::Vector3f from = row(start_rows_, v) - row(path_starts_, v);
            const Eigen::Vector3f to = row(end_rows_, v) - row(path_starts_, v);
            const auto step = row(path_steps_, v);
            const float strayed =
                std::sqrt(std::max((from - start_step * step).squaredNorm(), (to - end_step * step).squaredNorm()));
            strayed_[static_cast<size_t>(v)] = strayed;
            count += strayed <= roam_[static_cast<size_t>(v)] ? 0 : 1;
        }
        strays += count;
    });
    strays_ = strays;
}

// Neighbours have parallel paths: single vertices tremble, and would not go on as they do in this step.
void CandidateList::choose_paths() {
    const long count = static_cast<long>(roam_.size());
    path_starts_.assign(start_rows_.size(), 0);
    path_steps_.assign(start_rows_.size(), 0);
    path_ends_.assign(start_rows_.size(), 0);
    double way = 0;
    for (long first = 0; first < count; first += block) {
        const long last = std::min(first + block, count);
        Eigen::Vector3f step = Eigen::Vector3f::Zero();
        for (long slot = first; slot < last; ++slot)
            step += row(end_rows_, vertex_tree_.part(slot)) - row(start_rows_, vertex_tree_.part(slot));
        step /= static_cast<float>(last - first);
        way += step.norm() * static_cast<double>(last - first) / static_cast<double>(count);
        for (long slot = first; slot < last; ++slot) set_row(path_steps_, vertex_tree_.part(slot), step);
    }
    // As long as the last list held, and a little longer.
    path_length_ = std::clamp(1.5 * end_step_, 2.0, longest_path);
    path_length_ = std::max(1.0, std::min(path_length_, path_per_edge * mean_edge_length_ / way));
    // A list that will not last for two steps only needs room for corrections of this one.
    margin_ = path_length_ < 2 ? std::min(widest_margin_, 0.5 * thickness_) : widest_margin_;
    start_step_ = 0;
    end_step_ = 1;
    float extent = 0;
    for (long v = 0; v < count; ++v) {
        set_path(v, row(start_rows_, v));
        extent =
            std::max({extent, row(path_starts_, v).cwiseAbs().maxCoeff(), row(path_ends_, v).cwiseAbs().maxCoeff()});
    }
    rounding_ = 2e-6 * std::max(1.0F, extent);
}

void CandidateList::set_path(long v, const Eigen::Vector3f& start) {
    const auto step = row(path_steps_, v);
    set_row(path_starts_, v, start);
    set_row(path_ends_, v, start + static_cast<float>(path_length_) * step);
    const float from = (row(start_rows_, v) - start - static_cast<float>(start_step_) * step).norm();
    const float to = (row(end_rows_, v) - start - static_cast<float>(end_step_) * step).norm();
    strayed_[static_cast<size_t>(v)] = std::max(from, to);
    roam_[static_cast<size_t>(v)] = std::max(from, to) + static_cast<float>(margin_);
}

void CandidateList::refit_boxes() {
    parallel_for(static_cast<long>(boxes_.size()), [&](long v) {
        const Eigen::Vector3f low = row(path_starts_, v).cwiseMin(row(path_ends_, v));
        const Eigen::Vector3f high = row(path_starts_, v).cwiseMax(row(path_ends_, v));
        boxes_[static_cast<size_t>(v)] = grown({{low.x(), low.y(), low.z()}, {high.x(), high.y(), high.z()}},
                                               roam_[static_cast<size_t>(v)] + 0.5 * thickness_ + rounding_);
    });
    const auto box_around = [&](const auto& vertices) {
        Box box = boxes_[static_cast<size_t>(vertices(0))];
        for (int k = 1; k < vertices.size(); ++k) box.extend(boxes_[static_cast<size_t>(vertices(k))]);
        return box;
    };
    vertex_tree_.refit([&](int v) { return boxes_[static_cast<size_t>(v)]; });
    triangle_tree_.refit([&](int t) { return box_around(parts_.triangles.row(t)); });
    edge_tree_.refit([&](int e) { return box_around(parts_.edges.row(e)); });
}

void CandidateList::build(const Positions& start) {
    choose_paths();
    refit_boxes();
    vertex_triangle_.clear();
    edge_edge_.clear();
    find_vertex_triangle_pairs();
    find_edge_edge_pairs();
    patches_.remember(start, thickness_, 2 * margin_);
    patches_know_ = true;
    ++times_built_;
}

// Moves the paths of the vertices that strayed to where they are, and finds the pairs of these vertices anew.
void CandidateList::follow_strays() {
    std::vector<char> follows(roam_.size(), 0);
    for (size_t v = 0; v < roam_.size(); ++v) {
        if (strayed_[v] <= roam_[v]) continue;
        const long r = static_cast<long>(v);
        const auto middle_step = static_cast<float>(0.5 * (start_step_ + end_step_));
        set_path(r, 0.5F * (row(start_rows_, r) + row(end_rows_, r)) - middle_step * row(path_steps_, r));
        follows[v] = 1;
    }
    const auto is_followed = [&](const Candidate& candidate) {
        return std::any_of(candidate.vertices.begin(), candidate.vertices.end(),
                           [&](int v) { return follows[static_cast<size_t>(v)] != 0; });
    };
    std::erase_if(vertex_triangle_, is_followed);
    std::erase_if(edge_edge_, is_followed);
    patches_know_ = false;
    refit_boxes();
    find_vertex_triangle_pairs_of(follows);
    find_edge_edge_pairs_of(follows);
}

}  // namespace tulle::collision
