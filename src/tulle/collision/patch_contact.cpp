// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/patch_contact.h"

#include "tulle/collision/cloth_parts.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace tulle::collision {

namespace {

constexpr int sweeps = 12;      // over the pairs of a round
constexpr double pushed = 1.1;  // gaps to which parts are pushed, so that one round is mostly enough
// Rounds of looking for pairs. First they are pushed apart; then their vertices go half of the way back, and at last
// all of it.
constexpr int pushing_rounds = 4;
constexpr int halving_rounds = 14;
constexpr int all_rounds = 24;

std::vector<int> moved_vertices(const Positions& before, const Positions& after) {
    std::vector<int> moved;
    for (int v = 0; v < static_cast<int>(after.rows()); ++v)
        if (after.row(v) != before.row(v)) moved.push_back(v);
    return moved;
}

}  // namespace

PatchContact::PatchContact(SurfacePatches patches, VectorX inverse_masses, double gap)
    : patches_(std::move(patches)), inverse_masses_(std::move(inverse_masses)), gap_(gap) {}

PatchContactOutcome PatchContact::resolve(const Positions& start, Positions& end, const ColliderContact* colliders) {
    middle_ = middle(start);
    load_rows(start, start_rows_);
    PatchContactOutcome outcome;
    std::vector<Pair> minded;
    std::vector<int> changed(static_cast<size_t>(patches_.count()));
    std::iota(changed.begin(), changed.end(), 0);
    for (int round = 0;; ++round) {
        std::vector<Pair> meeting = find_near(start, end, changed);
        if (round < pushing_rounds) add(meeting, minded);
        std::erase_if(meeting, [&](const Pair& pair) { return missing(pair, end) <= 0; });
        if (round == 0) outcome.contacts = static_cast<int>(meeting.size());
        outcome.unresolved = static_cast<int>(meeting.size());
        if (meeting.empty() || round == all_rounds) return outcome;
        const Positions before = end;
        if (round < pushing_rounds)
            push_apart(minded, end);
        else
            outcome.returned_vertices += take_back(meeting, round < halving_rounds ? 0.5 : 1, start, end);
        if (colliders) keep_outside(*colliders, moved_vertices(before, end), end);
        changed = patches_.of_vertices(moved_vertices(before, end));
        if (changed.empty()) return outcome;  // all that meets is pinned
    }
}

// Both are in the order of their keys, and stay so.
void PatchContact::add(const std::vector<Pair>& found, std::vector<Pair>& pairs) {
    std::vector<Pair> all;
    std::set_union(pairs.begin(), pairs.end(), found.begin(), found.end(), std::back_inserter(all),
                   [](const Pair& a, const Pair& b) { return a.key() < b.key(); });
    pairs = std::move(all);
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
        const bool is_first = static_cast<int>(i) < pair.first_count(),
                   is_pinned = inverse_masses_(pair.vertices[i]) == 0;
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
