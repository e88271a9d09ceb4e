// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/self_detection.h"

#include "tulle/collision/continuous.h"
#include "tulle/core/parallel.h"

#include <algorithm>

namespace tulle::collision {

namespace {

constexpr double enough = 0.98;     // of the goal distance counts as reached
constexpr double touching = 1e-12;  // [m] parts this close at the start cannot be told apart
constexpr double near_margin = 2;   // thicknesses by which near pairs may miss each other
// Moving the ends by this many thicknesses changes each vertex's motion relative to the mean of four by at most twice
// that, and the reach of a pair by at most four times.
constexpr double near_allowance = near_margin / 4;

// How near a pair may come on its way before it counts as passing through. Tighter the closer it already is, so that
// coming close again and again never uses up the distance.
double least_gap(double distance, double target) {
    return distance > 1e-3 * target ? std::min(0.1 * target, 0.5 * distance) : 0.9 * distance;
}

FourPoints between(const FourPoints& start, const FourPoints& end, double time) {
    FourPoints points;
    for (size_t i = 0; i < 4; ++i) points[i] = start[i] + time * (end[i] - start[i]);
    return points;
}

auto any_of(const std::vector<char>& flags) {
    return [&flags](const std::array<int, 4>& v) {
        return (flags[static_cast<size_t>(v[0])] | flags[static_cast<size_t>(v[1])] | flags[static_cast<size_t>(v[2])] |
                flags[static_cast<size_t>(v[3])]) != 0;
    };
}

bool always(const std::array<int, 4>&) { return true; }

// All that find(i, found) adds to `found` for i in [0, count), in no particular order.
template <typename Found, typename Find>
std::vector<Found> collect(size_t count, const Find& find) {
    std::vector<Found> all;
    parallel_ranges(static_cast<long>(count), [&](long first, long last) {
        std::vector<Found> found;
        for (long i = first; i < last; ++i) find(static_cast<size_t>(i), found);
#pragma omp critical(tulle_self_detection)
        all.insert(all.end(), found.begin(), found.end());
    });
    return all;
}

}  // namespace

SelfDetection::SelfDetection(const ClothParts& parts, double thickness)
    : parts_(parts), thickness_(thickness), candidates_(parts, thickness) {}

std::vector<SelfContactPoint> SelfDetection::find(const Positions& start, const Positions& end, double recovery) {
    const bool fresh = candidates_.cover(start, end);
    near_end_.resize(0, 3);
    return examine_all(near_pairs(thickness_, start, end, fresh, always), start, end, recovery, always);
}

std::vector<SelfContactPoint> SelfDetection::find_moved(const Positions& start, const Positions& end, double recovery,
                                                        const std::vector<char>& moved) {
    const double within = (1 + near_margin) * thickness_;
    const bool fresh = candidates_.cover(start, end);
    if (fresh || near_end_.rows() == 0) {
        near_ = near_pairs(within, start, end, fresh, always);
        near_end_ = end;
        return examine_all(near_, start, end, recovery, any_of(moved));
    }
    const double allowed_squared = near_allowance * near_allowance * thickness_ * thickness_;
    std::vector<char> far(moved.size(), 0);
    bool any_far = false;
    for (size_t v = 0; v < moved.size(); ++v) {
        const long row = static_cast<long>(v);
        far[v] = !((end.row(row) - near_end_.row(row)).squaredNorm() <= allowed_squared);
        any_far |= far[v] != 0;
    }
    if (!any_far) return examine_all(near_, start, end, recovery, any_of(moved));
    const auto is_far = any_of(far);
    std::erase_if(near_, [&](const NearPair& pair) { return is_far(pair.vertices); });
    const std::vector<NearPair> more = near_pairs(within, start, end, /*fresh=*/false, is_far);
    near_.insert(near_.end(), more.begin(), more.end());
    for (size_t v = 0; v < far.size(); ++v)
        if (far[v]) near_end_.row(static_cast<long>(v)) = end.row(static_cast<long>(v));
    return examine_all(near_, start, end, recovery, any_of(moved));
}

template <typename Choose>
std::vector<SelfDetection::NearPair> SelfDetection::near_pairs(double within, const Positions& start,
                                                               const Positions& end, bool fresh,
                                                               const Choose& choose) const {
    const std::span<const Candidate> candidates = candidates_.candidates();
    return collect<NearPair>(candidates.size(), [&](size_t i, std::vector<NearPair>& found) {
        const Candidate& candidate = candidates[i];
        const PairKind kind = candidate.pair.kind;
        NearPair pair{candidate.pair, parts_.vertices(candidate.pair), candidate.distance};
        if (!choose(pair.vertices) || !candidates_.may_come_within(within, candidate, pair.vertices)) return;
        const FourPoints from = gather(pair.vertices, start);
        if (!fresh) pair.distance = separation(kind, from).distance();
        if (pair.distance - relative_reach(kind, from, gather(pair.vertices, end)) < within) found.push_back(pair);
    });
}

template <typename Choose>
std::vector<SelfContactPoint> SelfDetection::examine_all(const std::vector<NearPair>& pairs, const Positions& start,
                                                         const Positions& end, double recovery,
                                                         const Choose& choose) const {
    auto contacts = collect<SelfContactPoint>(pairs.size(), [&](size_t i, std::vector<SelfContactPoint>& found) {
        SelfContactPoint contact;
        if (choose(pairs[i].vertices) && examine(pairs[i], start, end, recovery, contact)) found.push_back(contact);
    });
    std::sort(contacts.begin(), contacts.end(),
              [](const SelfContactPoint& a, const SelfContactPoint& b) { return a.pair.key() < b.pair.key(); });
    return contacts;
}

bool SelfDetection::examine(const NearPair& pair, const Positions& start, const Positions& end, double recovery,
                            SelfContactPoint& contact) const {
    const PairKind kind = pair.pair.kind;
    const FourPoints from = gather(pair.vertices, start);
    const FourPoints to = gather(pair.vertices, end);
    const double nearest = pair.distance - relative_reach(kind, from, to);
    if (nearest >= thickness_ || pair.distance < touching) return false;
    const double target = target_distance(pair);
    if (nearest >= target) return false;
    const double gap = least_gap(pair.distance, target);
    const std::optional<double> time = nearest > gap ? std::nullopt : time_of_approach(kind, from, to, gap);
    const Separation apart = separation(kind, time ? between(from, to, *time) : to);
    const double goal = std::min(target, pair.distance + recovery);
    if (!time && apart.distance() >= enough * goal) return false;
    contact = {.pair = pair.pair,
               .vertices = pair.vertices,
               .weights = apart.weights,
               .normal = apart.vector.normalized(),
               .goal = goal,
               .time = time.value_or(1.0),
               .hits = time.has_value()};
    return true;
}

// Neighbours whose rest distance is less than twice the thickness are only kept half their rest distance apart.
double SelfDetection::target_distance(const NearPair& pair) const {
    const double rest_distance = separation(pair.pair.kind, gather(pair.vertices, parts_.rest_positions)).distance();
    return std::min(thickness_, 0.5 * rest_distance);
}

}  // namespace tulle::collision
