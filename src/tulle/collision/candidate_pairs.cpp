// SPDX-License-Identifier: Apache-2.0
// How a CandidateList finds its pairs.
#include "tulle/collision/candidate_list.h"

#include <algorithm>

namespace tulle::collision {

// Pairs whose boxes overlap, until there are enough of them for the kernel.
class CandidateList::Collector {
public:
    Collector(const CandidateList& list, bool edge_edge) : list_(list), edge_edge_(edge_edge) {}

    void add(const PartPair& pair, const std::array<int, 4>& vertices) {
        pairs_[static_cast<size_t>(count_)] = pair;
        std::copy(vertices.begin(), vertices.end(), vertices_[count_]);
        if (++count_ == capacity) flush();
    }

    void flush() {
        const int filled = (count_ + 7) / 8 * 8;
        for (int i = count_; i < filled; ++i) std::copy_n(vertices_[0], 4, vertices_[i]);
        std::array<float, capacity> bounds;
        pair_kernel().bound_distances({edge_edge_, vertices_, filled},
                                      {list_.path_starts_.data(), list_.path_ends_.data()}, bounds.data());
        const auto limit = static_cast<float>(list_.thickness_ + list_.rounding_);
        for (int i = 0; i < count_; ++i) {
            const int(&v)[4] = vertices_[i];
            const Candidate candidate{
                pairs_[static_cast<size_t>(i)], {v[0], v[1], v[2], v[3]}, bounds[static_cast<size_t>(i)]};
            if (candidate.distance - candidate.reach(list_.roam_) > limit) continue;
            if (std::any_of(v, v + 4, [&](int vertex) { return list_.parts_.movable(vertex); }))
                kept.push_back(candidate);
        }
        count_ = 0;
    }

    std::vector<Candidate> kept;

private:
    static constexpr int capacity = 256;

    const CandidateList& list_;
    bool edge_edge_;
    std::array<PartPair, capacity> pairs_;
    int vertices_[capacity][4];
    int count_ = 0;
};

// Adds what find_pairs(i, collector) finds for i in [0, count).
template <typename FindPairs>
void CandidateList::collect(bool edge_edge, long count, std::vector<Candidate>& all,
                            const FindPairs& find_pairs) const {
#pragma omp parallel if (count > 16)
    {
        Collector collector(*this, edge_edge);
#pragma omp for schedule(dynamic, 8) nowait
        for (long i = 0; i < count; ++i) find_pairs(i, collector);
        collector.flush();
#pragma omp critical
        all.insert(all.end(), collector.kept.begin(), collector.kept.end());
    }
}

void CandidateList::add_vertex_triangle(int v, long triangle_slot, Collector& collector) const {
    const std::array<int, 3>& t = triangles_by_slot_[static_cast<size_t>(triangle_slot)];
    if (v == t[0] || v == t[1] || v == t[2] || !has_triangles_[static_cast<size_t>(v)]) return;
    collector.add({PairKind::VertexTriangle, v, triangle_tree_.part(triangle_slot)}, {v, t[0], t[1], t[2]});
}

void CandidateList::add_edge_edge(long slot, long other_slot, Collector& collector) const {
    const std::array<int, 2>& a = edges_by_slot_[static_cast<size_t>(slot)];
    const std::array<int, 2>& b = edges_by_slot_[static_cast<size_t>(other_slot)];
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return;
    const int first = edge_tree_.part(slot), second = edge_tree_.part(other_slot);
    // The lower edge first, so that the distance has the bits that anyone else would compute.
    if (first < second)
        collector.add({PairKind::EdgeEdge, first, second}, {a[0], a[1], b[0], b[1]});
    else
        collector.add({PairKind::EdgeEdge, second, first}, {b[0], b[1], a[0], a[1]});
}

void CandidateList::find_vertex_triangle_pairs() {
    collect(false, vertex_tree_.leaf_count(), vertex_triangle_, [&](long leaf, Collector& collector) {
        vertex_tree_.visit_overlaps(leaf, triangle_tree_, 0,
                                    [&](long i, long j) { add_vertex_triangle(vertex_tree_.part(i), j, collector); });
    });
}

void CandidateList::find_edge_edge_pairs() {
    collect(true, edge_tree_.leaf_count(), edge_edge_, [&](long leaf, Collector& collector) {
        edge_tree_.visit_overlaps(leaf, edge_tree_, leaf, [&](long i, long j) {
            if (i < j) add_edge_edge(i, j, collector);
        });
    });
}

void CandidateList::find_vertex_triangle_pairs_of(const std::vector<char>& vertices) {
    collect(false, vertex_tree_.part_count(), vertex_triangle_, [&](long i, Collector& collector) {
        const int v = vertex_tree_.part(i);
        if (!vertices[static_cast<size_t>(v)]) return;
        triangle_tree_.visit_overlaps(boxes_[static_cast<size_t>(v)],
                                      [&](long j) { add_vertex_triangle(v, j, collector); });
    });
    collect(false, triangle_tree_.part_count(), vertex_triangle_, [&](long j, Collector& collector) {
        const std::array<int, 3>& t = triangles_by_slot_[static_cast<size_t>(j)];
        if (std::none_of(t.begin(), t.end(), [&](int v) { return vertices[static_cast<size_t>(v)] != 0; })) return;
        vertex_tree_.visit_overlaps(triangle_tree_.box(j), [&](long i) {
            const int v = vertex_tree_.part(i);
            if (!vertices[static_cast<size_t>(v)]) add_vertex_triangle(v, j, collector);
        });
    });
}

void CandidateList::find_edge_edge_pairs_of(const std::vector<char>& vertices) {
    const auto is_of = [&](long slot) {
        const std::array<int, 2>& e = edges_by_slot_[static_cast<size_t>(slot)];
        return (vertices[static_cast<size_t>(e[0])] | vertices[static_cast<size_t>(e[1])]) != 0;
    };
    collect(true, edge_tree_.part_count(), edge_edge_, [&](long i, Collector& collector) {
        if (!is_of(i)) return;
        edge_tree_.visit_overlaps(edge_tree_.box(i), [&](long j) {
            if (i < j || !is_of(j)) add_edge_edge(i, j, collector);
        });
    });
}

}  // namespace tulle::collision
