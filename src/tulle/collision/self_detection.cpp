// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/self_detection.h"

#include "tulle/collision/continuous.h"
#include "tulle/core/parallel.h"

#include <algorithm>

namespace tulle::collision {

namespace {

constexpr double enough = 0.98;     // of the goal distance counts as reached
constexpr double touching = 1e-12;  // [m] parts this close at the start cannot be told apart
constexpr double widest_gap = 0.1;  // of the target

// How near a pair may come on its way before it counts as passing through. Tighter the closer it already is, so that
// coming close again and again never uses up the distance.
double least_gap(double distance, double target) {
    return distance > 1e-3 * target ? std::min(widest_gap * target, 0.5 * distance) : 0.9 * distance;
}

FourPoints between(const FourPoints& start, const FourPoints& end, double time) {
    FourPoints points;
    for (size_t i = 0; i < 4; ++i) points[i] = start[i] + time * (end[i] - start[i]);
    return points;
}

}  // namespace

SelfDetection::SelfDetection(const ClothParts& parts, double thickness)
    : parts_(parts), thickness_(thickness), candidates_(parts, thickness) {}

std::vector<SelfContactPoint> SelfDetection::find(const Positions& start, const Positions& end, double recovery) {
    candidates_.cover(start, end);
    find_near_pairs(end);
    return examine_near_pairs(start, end, recovery, [](const std::array<int, 4>&) { return true; });
}

std::vector<SelfContactPoint> SelfDetection::find_moved(const Positions& start, const Positions& end, double recovery,
                                                        const std::vector<char>& moved) {
    const bool other_candidates = candidates_.cover(start, end);
    const double farthest_squared = (end - near_end_).rowwise().squaredNorm().maxCoeff();
    if (other_candidates || !(farthest_squared <= allowance() * allowance())) find_near_pairs(end);
    return examine_near_pairs(start, end, recovery, [&](const std::array<int, 4>& v) {
        return (moved[static_cast<size_t>(v[0])] | moved[static_cast<size_t>(v[1])] | moved[static_cast<size_t>(v[2])] |
                moved[static_cast<size_t>(v[3])]) != 0;
    });
}

// Visits the pairs, all of one kind and given by a function that calls another for each, that may end nearer than
// `thickness` or come nearer than `gap` on their way, as far as single precision can tell.
template <typename ForEach, typename Visit>
void SelfDetection::for_meetings(PairKind kind, const ForEach& for_each, double thickness, double gap,
                                 const Visit& visit) const {
    constexpr int capacity = 256;
    int vertices[capacity][4];
    std::array<const Candidate*, capacity> batch;
    std::array<char, capacity> meets;
    int count = 0;
    const auto flush = [&] {
        const int filled = (count + 7) / 8 * 8;
        for (int i = count; i < filled; ++i) std::copy_n(vertices[0], 4, vertices[i]);
        pair_kernel().find_meetings({kind == PairKind::EdgeEdge, vertices, filled}, candidates_.motion(),
                                    static_cast<float>(thickness + candidates_.rounding()),
                                    static_cast<float>(gap + candidates_.rounding()), meets.data());
        for (int i = 0; i < count; ++i)
            if (meets[static_cast<size_t>(i)]) visit(*batch[static_cast<size_t>(i)]);
        count = 0;
    };
    for_each([&](const Candidate& candidate) {
        batch[static_cast<size_t>(count)] = &candidate;
        std::copy(candidate.vertices.begin(), candidate.vertices.end(), vertices[count]);
        if (++count == capacity) flush();
    });
    flush();
}

// Candidates that may meet even if all ends change by the allowance: the distance at the end changes by twice as much,
// and the nearest on the way by three times as much.
void SelfDetection::find_near_pairs(const Positions& end) {
    near_end_ = end;
    const double thickness = thickness_ + 2 * allowance(), gap = widest_gap * thickness_ + 3 * allowance();
    for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge}) {
        const std::span<const Candidate> candidates = candidates_.of(kind);
        near_[kind].clear();
        parallel_ranges(static_cast<long>(candidates.size()), [&](long first, long last) {
            std::vector<const Candidate*> near;
            for_meetings(
                kind,
                [&](const auto& consider) {
                    for (long i = first; i < last; ++i)
                        if (const Candidate& candidate = candidates[static_cast<size_t>(i)];
                            candidates_.may_come_within(thickness, candidate))
                            consider(candidate);
                },
                thickness, gap, [&](const Candidate& candidate) { near.push_back(&candidate); });
#pragma omp critical(tulle_self_detection)
            near_[kind].insert(near_[kind].end(), near.begin(), near.end());
        });
    }
}

template <typename Choose>
std::vector<SelfContactPoint> SelfDetection::examine_near_pairs(const Positions& start, const Positions& end,
                                                                double recovery, const Choose& choose) {
    std::vector<SelfContactPoint> all;
    for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge})
        parallel_ranges(static_cast<long>(near_[kind].size()), [&](long first, long last) {
            std::vector<SelfContactPoint> found;
            SelfContactPoint contact;
            for_meetings(
                kind,
                [&](const auto& consider) {
                    for (long i = first; i < last; ++i)
                        if (const Candidate& candidate = *near_[kind][static_cast<size_t>(i)];
                            choose(candidate.vertices))
                            consider(candidate);
                },
                thickness_, widest_gap * thickness_,
                [&](const Candidate& candidate) {
                    if (examine(candidate, start, end, recovery, contact)) found.push_back(contact);
                });
#pragma omp critical(tulle_self_detection)
            all.insert(all.end(), found.begin(), found.end());
        });
    std::sort(all.begin(), all.end(),
              [](const SelfContactPoint& a, const SelfContactPoint& b) { return a.pair.key() < b.pair.key(); });
    return all;
}

bool SelfDetection::examine(const Candidate& candidate, const Positions& start, const Positions& end, double recovery,
                            SelfContactPoint& contact) const {
    const PairKind kind = candidate.pair.kind;
    const FourPoints from = gather(candidate.vertices, start);
    const FourPoints to = gather(candidate.vertices, end);
    const double distance = separation(kind, from).distance();
    const double nearest = distance - relative_reach(kind, from, to);
    if (nearest >= thickness_ || distance < touching) return false;
    const double target = target_distance(candidate);
    if (nearest >= target) return false;
    const double gap = least_gap(distance, target);
    const std::optional<double> time = nearest > gap ? std::nullopt : time_of_approach(kind, from, to, gap);
    const Separation apart = separation(kind, time ? between(from, to, *time) : to);
    const double goal = std::min(target, distance + recovery);
    if (!time && apart.distance() >= enough * goal) return false;
    contact = {.pair = candidate.pair,
               .vertices = candidate.vertices,
               .weights = apart.weights,
               .normal = apart.vector.normalized(),
               .goal = goal,
               .time = time.value_or(1.0),
               .hits = time.has_value()};
    return true;
}

// Neighbours whose rest distance is less than twice the thickness are only kept half their rest distance apart.
double SelfDetection::target_distance(const Candidate& candidate) const {
    const FourPoints rest = gather(candidate.vertices, parts_.rest_positions);
    return std::min(thickness_, 0.5 * separation(candidate.pair.kind, rest).distance());
}

}  // namespace tulle::collision
