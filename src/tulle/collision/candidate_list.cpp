// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/candidate_list.h"

#include "tulle/core/parallel.h"

#include <atomic>
#include <cmath>

namespace tulle::collision {

namespace {

constexpr double margin_per_edge = 0.1;
constexpr double rounding = 2e-6;  // [m] covers boxes in single precision and distances in double

double rest_edge_length(const ClothParts& parts) {
    double sum = 0;
    for (long e = 0; e < parts.edges.rows(); ++e)
        sum += (parts.rest_positions.row(parts.edges(e, 0)) - parts.rest_positions.row(parts.edges(e, 1))).norm();
    return sum / std::max(1.0, static_cast<double>(parts.edges.rows()));
}

template <int Count>
Positions part_centers(const Rows<int, Count>& vertices, const Positions& positions) {
    Positions centers = Positions::Zero(vertices.rows(), 3);
    for (long i = 0; i < vertices.rows(); ++i)
        for (const int v : vertices.row(i)) centers.row(i) += positions.row(v) / Count;
    return centers;
}

Eigen::RowVector3d middle(const Positions& positions) {
    Eigen::RowVector3d sum;
    for (int axis = 0; axis < 3; ++axis)
        sum(axis) = parallel_sum(positions.rows(), [&](long v) { return positions(v, axis); });
    return sum / static_cast<double>(positions.rows());
}

Box grown(Box box, double by) {
    for (size_t k = 0; k < 3; ++k) {
        box.low[k] -= static_cast<float>(by);
        box.high[k] += static_cast<float>(by);
    }
    return box;
}

bool share_vertex(PairKind kind, const std::array<int, 4>& v) {
    if (kind == PairKind::VertexTriangle) return v[0] == v[1] || v[0] == v[2] || v[0] == v[3];
    return v[0] == v[2] || v[0] == v[3] || v[1] == v[2] || v[1] == v[3];
}

}  // namespace

CandidateList::CandidateList(const ClothParts& parts, double thickness)
    : parts_(parts),
      thickness_(thickness),
      mean_edge_length_(rest_edge_length(parts)),
      margin_(std::max(margin_per_edge * mean_edge_length_, 0.25 * thickness)),
      vertex_tree_(parts.rest_positions),
      triangle_tree_(part_centers<3>(parts.triangles, parts.rest_positions)),
      edge_tree_(part_centers<2>(parts.edges, parts.rest_positions)),
      boxes_(static_cast<size_t>(parts.rest_positions.rows())),
      roam_(boxes_.size()),
      strayed_(boxes_.size()) {}

void CandidateList::cover(const Positions& start, const Positions& end) {
    if (centers_.rows() == start.rows() && still_covers(start, end)) return;
    rebuild(start, end);
    still_covers(start, end);
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
            all_inside &= box.contains(from) & box.contains(to);
            strayed_[static_cast<size_t>(v)] =
                static_cast<float>(std::sqrt(std::max((from - center).squaredNorm(), (to - center).squaredNorm())));
        }
        if (!all_inside) inside = false;
    });
    return inside;
}

void CandidateList::fit_boxes(const Positions& start, const Positions& end) {
    const Eigen::RowVector3d start_middle = middle(start);
    const Eigen::RowVector3d end_middle = middle(end);
    centers_.resize(start.rows(), 3);
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
        roam_[static_cast<size_t>(v)] = static_cast<float>((to - from).norm() + std::sqrt(3.0) * margin_ + rounding);
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
        triangle_tree_.visit_leaves(vertex_tree_.leaf_box(leaf), 0, [&](long other) {
            for (const long i : vertex_tree_.slots(leaf))
                for (const long j : triangle_tree_.slots(other))
                    if (vertex_tree_.part_box(i).overlaps(triangle_tree_.part_box(j)))
                        keep_if_near({PairKind::VertexTriangle, vertex_tree_.part(i), triangle_tree_.part(j)}, start,
                                     kept);
        });
    });
}

void CandidateList::find_edge_edge_pairs(const Positions& start) {
    collect(edge_tree_.leaf_count(), [&](long leaf, std::vector<Candidate>& kept) {
        edge_tree_.visit_leaves(edge_tree_.leaf_box(leaf), leaf, [&](long other) {
            for (const long i : edge_tree_.slots(leaf)) {
                for (const long j : edge_tree_.slots(other)) {
                    if (j <= i || !edge_tree_.part_box(i).overlaps(edge_tree_.part_box(j))) continue;
                    const auto [low, high] = std::minmax({edge_tree_.part(i), edge_tree_.part(j)});
                    keep_if_near({PairKind::EdgeEdge, low, high}, start, kept);
                }
            }
        });
    });
}

void CandidateList::keep_if_near(const PartPair& pair, const Positions& start, std::vector<Candidate>& kept) const {
    const std::array<int, 4> vertices = parts_.vertices(pair);
    if (share_vertex(pair.kind, vertices)) return;
    const bool movable = std::any_of(vertices.begin(), vertices.end(), [&](int v) { return parts_.movable(v); });
    if (!movable) return;
    const double distance = separation(pair.kind, gather(vertices, start)).distance();
    if (distance - reach(pair.kind, vertices, roam_) <= thickness_ + rounding)
        kept.push_back({pair, static_cast<float>(distance)});
}

bool CandidateList::may_touch(const Candidate& candidate, const std::array<int, 4>& vertices) const {
    return candidate.distance - reach(candidate.pair.kind, vertices, strayed_) <= thickness_ + rounding;
}

double CandidateList::reach(PairKind kind, const std::array<int, 4>& v, const std::vector<float>& of_vertex) const {
    const auto of = [&](int i) { return of_vertex[static_cast<size_t>(v[static_cast<size_t>(i)])]; };
    if (kind == PairKind::VertexTriangle) return of(0) + std::max({of(1), of(2), of(3)});
    return std::max(of(0), of(1)) + std::max(of(2), of(3));
}

}  // namespace tulle::collision
