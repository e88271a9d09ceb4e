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

// Pairs of parts, until there are enough of them for the kernel.
class PatchContact::Collector {
public:
    Collector(const PatchContact& contact, PairKind kind, const Positions& start, const Positions& end,
              std::vector<Pair>& found)
        : contact_(contact), kind_(kind), start_(start), end_(end), found_(found) {}

    void add(const std::array<int, 4>& vertices) {
        std::copy(vertices.begin(), vertices.end(), vertices_[count_]);
        if (++count_ == capacity) flush();
    }

    void flush() {
        const int filled = (count_ + 7) / 8 * 8;
        for (int i = count_; i < filled; ++i) std::copy_n(vertices_[0], 4, vertices_[i]);
        std::array<float, capacity> bounds;
        pair_kernel().bound_distances({kind_ == PairKind::EdgeEdge, vertices_, filled},
                                      {contact_.start_rows_.data(), contact_.end_rows_.data()}, bounds.data());
        const auto limit = static_cast<float>((1 + spare) * contact_.gap_);
        for (int i = 0; i < count_; ++i)
            if (!(bounds[static_cast<size_t>(i)] > limit))
                examine({vertices_[i][0], vertices_[i][1], vertices_[i][2], vertices_[i][3]});
        count_ = 0;
    }

private:
    static constexpr int capacity = 256;

    void examine(const std::array<int, 4>& vertices) {
        const Separation apart = separation(kind_, gather(vertices, start_));
        const double distance = apart.distance();
        if (!(distance > touching)) return;
        const Pair pair{kind_, vertices, apart.vector / distance, std::min(contact_.gap_, 0.5 * distance)};
        if (contact_.missing(pair, end_) > -spare * contact_.gap_) found_.push_back(pair);
    }

    const PatchContact& contact_;
    PairKind kind_;
    const Positions& start_;
    const Positions& end_;
    std::vector<Pair>& found_;
    int vertices_[capacity][4];
    int count_ = 0;
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

// Pairs with a part in one of the patches, in the order of their keys.
std::vector<PatchContact::Pair> PatchContact::find_near(const Positions& start, const Positions& end,
                                                        const std::vector<int>& patches) {
    load_rows(end, end_rows_);
    const std::vector<std::pair<int, int>> pairs = patches_.find_pairs(start, end, gap_, patches);
    std::vector<Pair> near;
    parallel_ranges(
        static_cast<long>(pairs.size()),
        [&](long first, long last) {
            std::vector<Pair> found;
            Collector vertex_triangle(*this, PairKind::VertexTriangle, start, end, found);
            Collector edge_edge(*this, PairKind::EdgeEdge, start, end, found);
            const auto add_vertices = [&](const SurfacePatches::Patch& a, const SurfacePatches::Patch& b) {
                for (const int v : a.vertices)
                    for (const auto& t : b.triangles)
                        if (v != t[0] && v != t[1] && v != t[2]) vertex_triangle.add({v, t[0], t[1], t[2]});
            };
            for (long i = first; i < last; ++i) {
                const auto [p, q] = pairs[static_cast<size_t>(i)];
                const SurfacePatches::Patch &a = patches_[p], &b = patches_[q];
                add_vertices(a, b);
                if (p != q) add_vertices(b, a);
                for (const auto& e : a.edges)
                    for (const auto& f : b.edges) {
                        if (e[0] == f[0] || e[0] == f[1] || e[1] == f[0] || e[1] == f[1]) continue;
                        if (e < f)
                            edge_edge.add({e[0], e[1], f[0], f[1]});
                        else if (p != q)
                            edge_edge.add({f[0], f[1], e[0], e[1]});
                    }
            }
            vertex_triangle.flush();
            edge_edge.flush();
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
