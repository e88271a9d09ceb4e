// SPDX-License-Identifier: Apache-2.0
// How a PatchContact finds its pairs.
#include "tulle/collision/cloth_parts.h"
#include "tulle/collision/pair_kernel.h"
#include "tulle/collision/patch_contact.h"
#include "tulle/core/parallel.h"

#include <algorithm>

namespace tulle::collision {

namespace {

constexpr double touching = 1e-9;  // [m] parts this close at the start cannot be told apart
// Pairs that are this many gaps farther apart than they must be are found too, lest others be pushed into them.
constexpr double spare = 1;

}  // namespace

// Finds the pairs of parts of two patches that may meet: by boxes, then by the kernel, which takes many at once, then
// one by one.
class PatchContact::Collector {
public:
    Collector(const PatchContact& contact, const Positions& start, const Positions& end, std::vector<Pair>& found)
        : contact_(contact), start_(start), end_(end), found_(found) {}

    void add(const std::pair<int, int>& patches) {
        const auto& [p, q] = patches;
        const SurfacePatches::Patch &a = contact_.patches_[p], &b = contact_.patches_[q];
        const Box around_a = contact_.box_around(a.vertices), around_b = contact_.box_around(b.vertices);
        gather_near(a.triangles, around_b, first_.triangles);
        gather_near(b.triangles, around_a, second_.triangles);
        if (first_.triangles.empty() || second_.triangles.empty()) return;
        gather_near(a.edges, around_b, first_.edges);
        gather_near(b.edges, around_a, second_.edges);
        gather_near(a.vertices, around_b, first_.vertices);
        gather_near(b.vertices, around_a, second_.vertices);
        add_vertices(first_, second_);
        if (p != q) add_vertices(second_, first_);
        for (const auto& [box, e] : first_.edges)
            for (const auto& [other_box, f] : second_.edges) {
                if (!box.overlaps(other_box)) continue;
                if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
                if (e < f)
                    add(edge_edge_, {e[0], e[1], f[0], f[1]});
                else if (p != q)
                    add(edge_edge_, {f[0], f[1], e[0], e[1]});
            }
    }
    void flush() {
        flush(vertex_triangle_);
        flush(edge_edge_);
    }

private:
    static constexpr int capacity = 256;
    struct Batch {
        PairKind kind;
        int vertices[capacity][4] = {};
        int count = 0;
    };
    // Parts of a patch that come near another patch, each with a box around its way.
    template <typename Part>
    using Boxed = std::vector<std::pair<Box, Part>>;
    struct Parts {
        Boxed<int> vertices;
        Boxed<std::array<int, 3>> triangles;
        Boxed<std::array<int, 2>> edges;
    };

    template <typename Part>
    void gather_near(const std::vector<Part>& parts, const Box& limits, Boxed<Part>& near) const {
        near.clear();
        for (const Part& part : parts)
            if (const Box box = contact_.box_around(part); box.overlaps(limits)) near.emplace_back(box, part);
    }

    void add_vertices(const Parts& of, const Parts& others) {
        for (const auto& [box, v] : of.vertices)
            for (const auto& [other_box, t] : others.triangles)
                if (box.overlaps(other_box) && v != t[0] && v != t[1] && v != t[2])
                    add(vertex_triangle_, {v, t[0], t[1], t[2]});
    }

    void add(Batch& batch, const std::array<int, 4>& vertices) {
        std::copy(vertices.begin(), vertices.end(), batch.vertices[batch.count]);
        if (++batch.count == capacity) flush(batch);
    }

    void flush(Batch& batch) {
        const int filled = (batch.count + 7) / 8 * 8;
        for (int i = batch.count; i < filled; ++i) std::copy_n(batch.vertices[0], 4, batch.vertices[i]);
        std::array<float, capacity> bounds;
        pair_kernel().bound_distances({batch.kind == PairKind::EdgeEdge, batch.vertices, filled},
                                      {contact_.start_rows_.data(), contact_.end_rows_.data()}, bounds.data());
        const auto limit = static_cast<float>((1 + spare) * contact_.gap_);
        for (int i = 0; i < batch.count; ++i) {
            const int(&v)[4] = batch.vertices[i];
            if (!(bounds[static_cast<size_t>(i)] > limit)) examine(batch.kind, {v[0], v[1], v[2], v[3]});
        }
        batch.count = 0;
    }

    void examine(PairKind kind, const std::array<int, 4>& vertices) {
        const Separation apart = separation(kind, collision::gather(vertices, start_));
        const double distance = apart.distance();
        if (!(distance > touching)) return;
        const Pair pair{kind, vertices, apart.vector / distance, std::min(contact_.gap_, 0.5 * distance)};
        if (contact_.missing(pair, end_) > -spare * contact_.gap_) found_.push_back(pair);
    }

    const PatchContact& contact_;
    const Positions& start_;
    const Positions& end_;
    std::vector<Pair>& found_;
    Batch vertex_triangle_{.kind = PairKind::VertexTriangle};
    Batch edge_edge_{.kind = PairKind::EdgeEdge};
    Parts first_, second_;  // kept because allocating anew costs time
};

void PatchContact::load_rows(const Positions& positions, std::vector<float>& rows) const {
    rows.resize(4 * static_cast<size_t>(positions.rows()), 0);
    parallel_for(positions.rows(), [&](long v) {
        for (long k = 0; k < 3; ++k)
            rows[static_cast<size_t>(4 * v + k)] = static_cast<float>(positions(v, k) - middle_(k));
    });
}

void PatchContact::load_end(const Positions& end) {
    load_rows(end, end_rows_);
    boxes_.resize(static_cast<size_t>(end.rows()));
    const auto room = static_cast<float>(0.5 * (1 + spare) * gap_);
    parallel_for(end.rows(), [&](long v) {
        const float *from = start_rows_.data() + 4 * v, *to = end_rows_.data() + 4 * v;
        Box& box = boxes_[static_cast<size_t>(v)];
        for (size_t k = 0; k < 3; ++k) {
            box.low[k] = std::min(from[k], to[k]) - room;
            box.high[k] = std::max(from[k], to[k]) + room;
        }
    });
}

Box PatchContact::box_around(std::span<const int> vertices) const {
    Box box = box_around(vertices[0]);
    for (const int v : vertices.subspan(1)) box.extend(box_around(v));
    return box;
}

// Pairs with a part in one of the patches, in the order of their keys.
std::vector<PatchContact::Pair> PatchContact::find_near(const Positions& start, const Positions& end,
                                                        const std::vector<int>& patches) {
    load_end(end);
    const std::vector<std::pair<int, int>> pairs = patches_.find_pairs(start, end, gap_, patches);
    std::vector<Pair> near;
    const auto find_parts = [&](long first, long last) {
        std::vector<Pair> found;
        Collector collector(*this, start, end, found);
        for (long i = first; i < last; ++i) collector.add(pairs[static_cast<size_t>(i)]);
        collector.flush();
#pragma omp critical(tulle_patch_contact)
        near.insert(near.end(), found.begin(), found.end());
    };
    parallel_ranges(static_cast<long>(pairs.size()), find_parts, /*grain=*/32);
    std::sort(near.begin(), near.end(), [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
    near.erase(std::unique(near.begin(), near.end(), [](const Pair& a, const Pair& b) { return a.key() == b.key(); }),
               near.end());
    return near;
}

}  // namespace tulle::collision
