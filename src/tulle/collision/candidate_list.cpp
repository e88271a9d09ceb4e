// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/candidate_list.h"

#include "tulle/core/parallel.h"

#include <atomic>
#include <cmath>

namespace tulle::collision {

namespace {

constexpr double margin_per_edge = 0.17;  // neighbours on a flat grid, 0.6 edges apart, are then left out
constexpr double rounding = 2e-6;         // [m] covers boxes in single precision and distances in double

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
      boxes_(static_cast<size_t>(parts.rest_positions.rows())),
      roam_(boxes_.size()),
      strayed_(boxes_.size()),
      has_triangles_(boxes_.size(), 0) {
    for (const int v : parts.triangles.reshaped()) has_triangles_[static_cast<size_t>(v)] = 1;
}

bool CandidateList::cover(const Positions& start, const Positions& end) {
    const bool built = centers_.rows() == start.rows();
    by_patches_ = built && !still_covers(start, end);
    if (built && (!by_patches_ || patches_.still_apart(start, end))) return false;
    rebuild(start, end);
    by_patches_ = false;
    still_covers(start, end);
    return true;
}

bool CandidateList::still_covers(const Positions& start, const Positions& end) {
    const Eigen::RowVector3d start_middle = middle(start);
    const Eigen::RowVector3d end_middle = middle(end);
    std::atomic<bool> inside = true;
    parallel_ranges(start.rows(), [&](long first, long last) {
        bool all_inside = true;
        for (long v = first; v < last; ++v) {
            const Vector3 from = start.row(v) - start_middle;
            const Vector3 to = end.row(v) - end_middle;
            const Vector3 center = centers_.row(v);
            const Box& box = boxes_[static_cast<size_t>(v)];
            const double strayed = std::sqrt(std::max((from - center).squaredNorm(), (to - center).squaredNorm()));
            all_inside &= box.contains(from);
            all_inside &= box.contains(to);
            all_inside &= strayed <= roam_[static_cast<size_t>(v)];
            strayed_[static_cast<size_t>(v)] = static_cast<float>(strayed);
        }
        if (!all_inside) inside = false;
    });
    return inside;
}

void CandidateList::fit_boxes(const Positions& start, const Positions& end) {
    const Eigen::RowVector3d start_middle = middle(start);
    const Eigen::RowVector3d end_middle = middle(end);
    centers_.resize(start.rows(), 3);
    const double way =
        parallel_sum(start.rows(),
                     [&](long v) { return (end.row(v) - end_middle - start.row(v) + start_middle).norm(); }) /
        static_cast<double>(start.rows());
    // A list that will not last for two steps only needs room for corrections of this one.
    margin_ = way > 0.5 * widest_margin_ ? std::min(widest_margin_, 0.5 * thickness_) : widest_margin_;
    parallel_for(start.rows(), [&](long v) {
        const Vector3 from = start.row(v) - start_middle;
        const Vector3 to = end.row(v) - end_middle;
        centers_.row(v) = from;
        Box box;
        for (int k = 0; k < 3; ++k) {
            box.low[static_cast<size_t>(k)] = static_cast<float>(std::min(from(k), to(k)));
            box.high[static_cast<size_t>(k)] = static_cast<float>(std::max(from(k), to(k)));
        }
        boxes_[static_cast<size_t>(v)] = grown(box, margin_);
        roam_[static_cast<size_t>(v)] = static_cast<float>((to - from).norm() + margin_);
    });
}

void CandidateList::rebuild(const Positions& start, const Positions& end) {
    fit_boxes(start, end);
    const auto box_around = [&](const auto& vertices) {
        Box box = boxes_[static_cast<size_t>(vertices(0))];
        for (int k = 1; k < vertices.size(); ++k) box.extend(boxes_[static_cast<size_t>(vertices(k))]);
        return grown(box, 0.5 * thickness_ + rounding);
    };
    vertex_tree_.refit([&](int v) { return grown(boxes_[static_cast<size_t>(v)], 0.5 * thickness_ + rounding); });
    triangle_tree_.refit([&](int t) { return box_around(parts_.triangles.row(t)); });
    edge_tree_.refit([&](int e) { return box_around(parts_.edges.row(e)); });
    candidates_.clear();
    find_vertex_triangle_pairs(start);
    find_edge_edge_pairs(start);
    patches_.remember(start, thickness_, 2 * margin_);
}

template <typename FindPairs>
void CandidateList::collect(long leaves, const FindPairs& find_pairs) {
#pragma omp parallel if (leaves > 16)
    {
        std::vector<Candidate> kept;
#pragma omp for schedule(dynamic, 8) nowait
        for (long leaf = 0; leaf < leaves; ++leaf) find_pairs(leaf, kept);
#pragma omp critical
        candidates_.insert(candidates_.end(), kept.begin(), kept.end());
    }
}

void CandidateList::find_vertex_triangle_pairs(const Positions& start) {
    collect(vertex_tree_.leaf_count(), [&](long leaf, std::vector<Candidate>& kept) {
        vertex_tree_.visit_overlaps(leaf, triangle_tree_, 0, [&](long i, long j) {
            const int v = vertex_tree_.part(i);
            const std::array<int, 3>& t = triangles_by_slot_[static_cast<size_t>(j)];
            if (v == t[0] || v == t[1] || v == t[2] || !has_triangles_[static_cast<size_t>(v)]) return;
            keep_if_near({PairKind::VertexTriangle, v, triangle_tree_.part(j)}, {v, t[0], t[1], t[2]}, start, kept);
        });
    });
}

void CandidateList::find_edge_edge_pairs(const Positions& start) {
    collect(edge_tree_.leaf_count(), [&](long leaf, std::vector<Candidate>& kept) {
        edge_tree_.visit_overlaps(leaf, edge_tree_, leaf, [&](long i, long j) {
            const std::array<int, 2>& a = edges_by_slot_[static_cast<size_t>(i)];
            const std::array<int, 2>& b = edges_by_slot_[static_cast<size_t>(j)];
            if (j <= i || a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return;
            const int first = edge_tree_.part(i), second = edge_tree_.part(j);
            // The lower edge first, so that the distance has the bits that anyone else would compute.
            if (first < second)
                keep_if_near({PairKind::EdgeEdge, first, second}, {a[0], a[1], b[0], b[1]}, start, kept);
            else
                keep_if_near({PairKind::EdgeEdge, second, first}, {b[0], b[1], a[0], a[1]}, start, kept);
        });
    });
}

void CandidateList::keep_if_near(const PartPair& pair, const std::array<int, 4>& vertices, const Positions& start,
                                 std::vector<Candidate>& kept) const {
    const double distance = separation(pair.kind, gather(vertices, start)).distance();
    if (distance - reach(pair.kind, vertices, roam_) > thickness_ + rounding) return;
    if (std::any_of(vertices.begin(), vertices.end(), [&](int v) { return parts_.movable(v); }))
        kept.push_back({pair, distance});
}

bool CandidateList::may_come_within(double distance, const Candidate& candidate,
                                    const std::array<int, 4>& vertices) const {
    const double change =
        by_patches_ ? patches_.change(vertices[0], vertices[3]) : reach(candidate.pair.kind, vertices, strayed_);
    return candidate.distance - change <= distance + rounding;
}

double CandidateList::reach(PairKind kind, const std::array<int, 4>& v, const std::vector<float>& of_vertex) const {
    const auto of = [&](int i) { return of_vertex[static_cast<size_t>(v[static_cast<size_t>(i)])]; };
    if (kind == PairKind::VertexTriangle) return of(0) + std::max({of(1), of(2), of(3)});
    return std::max(of(0), of(1)) + std::max(of(2), of(3));
}

}  // namespace tulle::collision
