// SPDX-License-Identifier: Apache-2.0
// The last resort of self-contact: parts that would pass through each other move together for this step (Provot 1997;
// Bridson, Fedkiw and Anderson 2002). They keep their common momentum and go with the cloth around them. Stopping them
// where they are would be as safe, but would tear them out of a cloth that moves on, and knot it.
#include "tulle/collision/self_contact.h"

#include <algorithm>
#include <numeric>

namespace tulle::collision {

namespace {

constexpr double depth_tolerance = 1e-6;  // [m]
constexpr double same_way = 1e-12;        // [m]

// Vertices that move together, and what moves each group.
class ImpactZones {
public:
    ImpactZones(const ClothParts& parts, const Positions& start, const Positions& end)
        : start_(start),
          parent_(static_cast<size_t>(start.rows())),
          way_(end - start),
          forced_(parent_.size(), 0),
          joined_(parent_.size(), 0) {
        std::iota(parent_.begin(), parent_.end(), 0);
        masses_.resize(start.rows());
        for (long v = 0; v < start.rows(); ++v) {
            const bool movable = parts.movable(static_cast<int>(v));
            masses_(v) = movable ? 1 / parts.inverse_masses(v) : 0;
            forced_[static_cast<size_t>(v)] = movable ? 0 : 1;
        }
    }

    // False if both are forced to move differently.
    bool join(int v, int w) {
        int a = zone(v), b = zone(w);
        joined_[static_cast<size_t>(v)] = joined_[static_cast<size_t>(w)] = 1;
        if (a == b) return true;
        if (forced(a) && forced(b)) {
            if ((way_.row(a) - way_.row(b)).norm() > same_way) return false;
        } else if (!forced(a) && !forced(b)) {
            way_.row(a) = (masses_(a) * way_.row(a) + masses_(b) * way_.row(b)) / (masses_(a) + masses_(b));
        } else if (forced(b)) {
            std::swap(a, b);
        }
        masses_(a) += masses_(b);
        parent_[static_cast<size_t>(b)] = a;
        return true;
    }
    // Makes the zone of a vertex go this way, unless something else already forces it.
    bool force(int v, const Vector3& way) {
        const int a = zone(v);
        joined_[static_cast<size_t>(v)] = 1;
        if (forced(a)) return false;
        way_.row(a) = way;
        forced_[static_cast<size_t>(a)] = 1;
        return true;
    }
    bool is_joined(int v) const { return joined_[static_cast<size_t>(v)] != 0; }
    Eigen::RowVector3d end(int v) { return start_.row(v) + way_.row(zone(v)); }
    int joined_count() const { return static_cast<int>(std::count(joined_.begin(), joined_.end(), 1)); }

private:
    int zone(int v) {
        while (parent_[static_cast<size_t>(v)] != v) {
            int& up = parent_[static_cast<size_t>(v)];
            up = parent_[static_cast<size_t>(up)];
            v = up;
        }
        return v;
    }
    bool forced(int zone) const { return forced_[static_cast<size_t>(zone)] != 0; }

    const Positions& start_;
    std::vector<int> parent_;   // union–find
    Positions way_;             // of each zone's root [m]
    VectorX masses_;            // of each zone's root [kg]
    std::vector<char> forced_;  // whether pins or colliders move it
    std::vector<char> joined_;  // whether a vertex shares a zone with anything
};

}  // namespace

// Every round joins zones or forces one, or is the last; so this ends.
void SelfContact::move_together(std::vector<SelfContactPoint> contacts, const ColliderContact* colliders,
                                const Positions& start, Positions& end, SelfContactOutcome& outcome) {
    ImpactZones zones(parts_, start, end);
    std::vector<char> moved(static_cast<size_t>(end.rows()), 0);
    std::vector<ColliderHit> collider_hits;
    do {
        for (const SelfContactPoint& contact : contacts) {
            if (!contact.hits) continue;
            bool together = true;
            for (size_t i = 1; i < 4; ++i) together &= zones.join(contact.vertices[0], contact.vertices[i]);
            if (!together) ++outcome.unresolved;  // also if later rounds have no reason to look at it again
        }
        for (const ColliderHit& hit : collider_hits) {
            bool together = true;
            for (const int v : hit.vertices) together &= zones.join(hit.vertices[0], v);
            if (!zones.force(hit.vertices[0], hit.way) || !together) ++outcome.unresolved;
        }
        std::fill(moved.begin(), moved.end(), char{0});
        for (int v = 0; v < static_cast<int>(end.rows()); ++v) {
            if (!zones.is_joined(v)) continue;
            const Eigen::RowVector3d place = zones.end(v);
            moved[static_cast<size_t>(v)] = place != end.row(v);
            end.row(v) = place;
        }
        contacts = detection_.find_moved(start, end, /*recovery=*/0, moved);
        collider_hits = colliders ? find_collider_hits(*colliders, start, end, moved) : std::vector<ColliderHit>{};
    } while (std::find(moved.begin(), moved.end(), 1) != moved.end());
    outcome.truncated_vertices = std::max(outcome.truncated_vertices, zones.joined_count());
}

// Vertices and faces that moved into a collider: they will go with it.
std::vector<SelfContact::ColliderHit> SelfContact::find_collider_hits(const ColliderContact& colliders,
                                                                      const Positions& start, const Positions& end,
                                                                      const std::vector<char>& moved) const {
    std::vector<ColliderHit> hits;
    const auto way_with = [&](int collider, int v) {
        const MovingCollider& moving = colliders.vertices.colliders()[static_cast<size_t>(collider)];
        const Vector3 from = start.row(v);
        return Vector3(moving.place(moving.start_seen(from)) - from);
    };
    for (int v = 0; v < static_cast<int>(end.rows()); ++v) {
        if (!moved[static_cast<size_t>(v)]) continue;
        const auto [collider, depth] = colliders.vertices.deepest_at_end(end.row(v));
        if (depth > depth_tolerance) hits.push_back({{v}, way_with(collider, v)});
    }
    for (const FaceContact::Cut& cut : colliders.faces.cutting(colliders.vertices, start, end, moved)) {
        const auto [a, b, c] = colliders.faces.vertices(cut.face);
        const Vector3 way = (way_with(cut.collider, a) + way_with(cut.collider, b) + way_with(cut.collider, c)) / 3;
        hits.push_back({{a, b, c}, way});
    }
    return hits;
}

}  // namespace tulle::collision
