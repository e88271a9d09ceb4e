// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/patch_contact.h"

#include "tulle/collision/cloth_parts.h"
#include "tulle/collision/pair_kernel.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

constexpr int pushing_rounds = 4;   // of looking for pairs and pushing them apart
constexpr int all_rounds = 24;      // then some of taking back half of the way, and at last all of it
constexpr int halving_rounds = 14;  // the last round of these
constexpr int sweeps = 12;          // over the pairs of a round
constexpr double touching = 1e-9;   // [m] parts this close at the start cannot be told apart
constexpr double spare = 1.0;       // gaps: pairs that are this much farther apart are minded too, lest they be pushed into
constexpr double pushed = 1.1;      // gaps to which parts are pushed, so that one round is mostly enough

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

PatchContact::PatchContact(SurfacePatches patches, VectorX inverse_masses, double gap)
    : patches_(std::move(patches)), inverse_masses_(std::move(inverse_masses)), gap_(gap) {}

PatchContactOutcome PatchContact::resolve(const Positions& start, Positions& end, const ColliderContact* colliders) {
    middle_ = middle(start);
    load_rows(start, start_rows_);
    PatchContactOutcome outcome;
    std::vector<Pair> minded;
    std::vector<int> changed(static_cast<size_t>(patches_.count()));
    for (size_t p = 0; p < changed.size(); ++p) changed[p] = static_cast<int>(p);
    for (int round = 0;; ++round) {
        std::vector<Pair> near = find_near(start, end, changed);
        std::vector<Pair> meeting;
        std::copy_if(near.begin(), near.end(), std::back_inserter(meeting),
                     [&](const Pair& pair) { return missing(pair, end) > 0; });
        if (round == 0) outcome.contacts = static_cast<int>(meeting.size());
        outcome.unresolved = static_cast<int>(meeting.size());
        if (meeting.empty() || round == all_rounds) return outcome;
        const Positions before = end;
        if (round < pushing_rounds) {
            std::vector<Pair> all;
            std::set_union(minded.begin(), minded.end(), near.begin(), near.end(), std::back_inserter(all),
                           [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
            minded = std::move(all);
            push_apart(minded, end);
        } else {
            outcome.returned_vertices += take_back(meeting, round < halving_rounds ? 0.5 : 1, start, end);
        }
        std::vector<int> moved;
        for (int v = 0; v < static_cast<int>(end.rows()); ++v)
            if (end.row(v) != before.row(v)) moved.push_back(v);
        if (colliders) {
            keep_outside(*colliders, moved, end);
            moved.clear();
            for (int v = 0; v < static_cast<int>(end.rows()); ++v)
                if (end.row(v) != before.row(v)) moved.push_back(v);
        }
        changed = patches_.of_vertices(moved);
    }
}

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
    parallel_ranges(
        static_cast<long>(pairs.size()),
        [&](long first, long last) {
            std::vector<Pair> found;
            Collector collector(*this, start, end, found);
            for (long i = first; i < last; ++i) collector.add(pairs[static_cast<size_t>(i)]);
            collector.flush();
#pragma omp critical(tulle_patch_contact)
            near.insert(near.end(), found.begin(), found.end());
        },
        /*grain=*/32);
    std::sort(near.begin(), near.end(), [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
    near.erase(
        std::unique(near.begin(), near.end(), [](const Pair& a, const Pair& b) { return a.key() == b.key(); }),
        near.end());
    return near;
}

// [m] that the parts are nearer to each other than they may be.
double PatchContact::missing(const Pair& pair, const Positions& end) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int i = 0; i < 4; ++i) {
        const double height = pair.normal.dot(end.row(pair.vertices[static_cast<size_t>(i)]));
        if (i < pair.first_count())
            low = std::min(low, height);
        else
            high = std::max(high, height);
    }
    return pair.gap - (low - high);
}

void PatchContact::push_apart(const std::vector<Pair>& pairs, Positions& end) const {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        bool all_apart = true;
        for (const Pair& pair : pairs) {
            if (!(missing(pair, end) > 0)) continue;
            push_apart(pair, end);
            all_apart = false;
        }
        if (all_apart) return;
    }
}

// Vertices of the first part that are below the plane in the middle go up to it, those of the second that are above go
// down. What is pinned leaves the way to the others.
void PatchContact::push_apart(const Pair& pair, Positions& end) const {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    double pinned_low = low, pinned_high = high;
    std::array<double, 4> heights;
    for (size_t i = 0; i < 4; ++i) {
        heights[i] = pair.normal.dot(end.row(pair.vertices[i]));
        const bool is_first = static_cast<int>(i) < pair.first_count(), is_pinned = inverse_masses_(pair.vertices[i]) == 0;
        if (is_first) low = std::min(low, heights[i]);
        if (!is_first) high = std::max(high, heights[i]);
        if (is_first && is_pinned) pinned_low = std::min(pinned_low, heights[i]);
        if (!is_first && is_pinned) pinned_high = std::max(pinned_high, heights[i]);
    }
    const double half = 0.5 * pushed * pair.gap;
    const double middle = std::max(std::min(0.5 * (low + high), pinned_low - half), pinned_high + half);
    for (size_t i = 0; i < 4; ++i) {
        const int v = pair.vertices[i];
        if (inverse_masses_(v) == 0) continue;
        const double change = static_cast<int>(i) < pair.first_count() ? std::max(0.0, middle + half - heights[i])
                                                                       : std::min(0.0, middle - half - heights[i]);
        end.row(v) += change * pair.normal;
    }
}

// Where they started, no two parts meet.
int PatchContact::take_back(const std::vector<Pair>& pairs, double part, const Positions& start, Positions& end) const {
    std::vector<int> vertices;
    for (const Pair& pair : pairs)
        for (const int v : pair.vertices)
            if (inverse_masses_(v) > 0) vertices.push_back(v);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (const int v : vertices) end.row(v) += part * (start.row(v) - end.row(v));
    return static_cast<int>(vertices.size());
}

void PatchContact::keep_outside(const ColliderContact& colliders, const std::vector<int>& vertices,
                                Positions& end) const {
    const Positions shown = end;
    for (const int v : vertices) {
        Vector3 place = end.row(v);
        if (colliders.vertices.resolve(shown.row(v), place)) end.row(v) = place;
    }
    (void)colliders.faces.resolve(colliders.vertices, {shown, end, nullptr}, vertices);
}

}  // namespace tulle::collision
