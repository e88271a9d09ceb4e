// SPDX-License-Identifier: Apache-2.0
// The last resort of self-contact: vertices that would pass through something stop on their way.
#include "tulle/collision/self_contact.h"

#include <algorithm>

namespace tulle::collision {

namespace {

constexpr int patient_rounds = 12;        // after these, vertices that still hit something stay where they started
constexpr double before_the_hit = 0.9;    // part of the way to the hit that is gone
constexpr double depth_tolerance = 1e-6;  // [m]

// Vertices, -1 for none, that meet something after this part of their way.
struct Hit {
    std::array<int, 4> vertices{};
    double time = 1;
};

std::vector<Hit> hits_of(const std::vector<SelfContactPoint>& contacts) {
    std::vector<Hit> hits;
    for (const SelfContactPoint& contact : contacts)
        if (contact.hits) hits.push_back({contact.vertices, contact.time});
    return hits;
}

// The way of each vertex, scaled.
class ScaledWay {
public:
    ScaledWay(const Positions& start, Positions& end, const ColliderContact* colliders)
        : start_(start),
          wanted_(end),
          end_(end),
          colliders_(colliders ? &colliders->vertices : nullptr),
          scale_(static_cast<size_t>(end.rows()), 1.0) {}

    double scale(int v) const { return scale_[static_cast<size_t>(v)]; }

    // Goes only this part of the way, or less if it would end inside a still collider: the way out of one is not
    // straight if the surface bulges.
    void shorten(int v, double scale) {
        const Vector3 start = start_.row(v);
        const Vector3 way = wanted_.row(v).transpose() - start;
        Vector3 place = start + scale * way;
        if (colliders_ && is_inside(place) && !is_inside(start)) {
            for (int i = 0; i < 10 && is_inside(place); ++i) place = start + (scale *= 0.5) * way;
            if (is_inside(place)) place = start + (scale = 0) * way;
        }
        scale_[static_cast<size_t>(v)] = scale;
        end_.row(v) = place;
    }

    int shortened() const {
        return static_cast<int>(std::count_if(scale_.begin(), scale_.end(), [](double s) { return s < 1; }));
    }
    int left_inside() const {
        int count = 0;
        for (long v = 0; colliders_ && v < end_.rows(); ++v)
            if (scale_[static_cast<size_t>(v)] < 1 && colliders_->depth_at_end(end_.row(v)) > depth_tolerance) ++count;
        return count;
    }

private:
    bool is_inside(const Vector3& place) const { return colliders_->depth_at_end(place) > 0; }

    const Positions& start_;
    const Positions wanted_;
    Positions& end_;
    const ColliderResponse* colliders_;
    std::vector<double> scale_;
};

}  // namespace

// Scales only ever shrink, and a pair whose movable vertices all stay at their start can only be hit by what is forced
// to move; so this ends.
void SelfContact::hold_back(const std::vector<SelfContactPoint>& contacts, const ColliderContact* colliders,
                            const Positions& start, Positions& end, SelfContactOutcome& outcome) {
    ScaledWay way(start, end, colliders);
    std::vector<double> allowed(static_cast<size_t>(end.rows()), 1.0);
    std::vector<char> moved(static_cast<size_t>(end.rows()), 0);
    std::vector<Hit> hits = hits_of(contacts);
    for (int round = 0; !hits.empty(); ++round) {
        std::fill(moved.begin(), moved.end(), char{0});
        for (const Hit& hit : hits) {
            bool can_yield = false;
            for (const int v : hit.vertices) {
                if (v < 0 || !parts_.movable(v) || way.scale(v) == 0) continue;
                const double part = round < patient_rounds ? before_the_hit * hit.time * way.scale(v) : 0;
                allowed[static_cast<size_t>(v)] = std::min(allowed[static_cast<size_t>(v)], part);
                moved[static_cast<size_t>(v)] = 1;
                can_yield = true;
            }
            if (!can_yield) ++outcome.unresolved;
        }
        for (int v = 0; v < static_cast<int>(end.rows()); ++v)
            if (moved[static_cast<size_t>(v)]) way.shorten(v, allowed[static_cast<size_t>(v)]);
        hits = hits_of(detection_.find_moved(start, end, /*recovery=*/0, moved));
        if (colliders)
            for (const int face : colliders->faces.cutting(colliders->vertices, start, end, moved)) {
                const auto [a, b, c] = colliders->faces.vertices(face);
                hits.push_back({{a, b, c, -1}, 0.5});
            }
    }
    outcome.truncated_vertices = std::max(outcome.truncated_vertices, way.shortened());
    outcome.unresolved += way.left_inside();
}

}  // namespace tulle::collision
