// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/candidate_list.h"

#include <map>
#include <vector>

namespace tulle::collision {

// A pair that comes too close: its points, weighted, must be `goal` apart along `normal` at the end of the step.
struct SelfContactPoint {
    PartPair pair;
    std::array<int, 4> vertices{};
    std::array<double, 4> weights{};
    Vector3 normal = Vector3::UnitZ();
    double goal = 0;    // [m]
    double time = 1;    // part of the step after which the pair is about to pass through each other
    bool hits = false;  // whether it does
};

// Finds the pairs of a cloth that come closer than the thickness on straight ways. What it finds depends on the ways
// alone; the lists it keeps only save time.
class SelfDetection {
public:
    // Keeps a reference to the parts.
    SelfDetection(const ClothParts& parts, double thickness);

    // All of them, in order. Pairs that start too close only have to come `recovery` [m] farther apart.
    std::vector<SelfContactPoint> find(const Positions& start, const Positions& end, double recovery);
    // Those with a vertex that is marked as moved, from the same start as last time but to another end.
    std::vector<SelfContactPoint> find_moved(const Positions& start, const Positions& end, double recovery,
                                             const std::vector<char>& moved);
    double mean_edge_length() const { return candidates_.mean_edge_length(); }

private:
    // By how much ends may change before pairs that are near must be looked for again [m].
    double allowance() const { return 0.5 * thickness_; }
    void find_near_pairs(const Positions& end);
    template <typename Choose>
    std::vector<SelfContactPoint> examine_near_pairs(const Positions& start, const Positions& end, double recovery,
                                                     const Choose& choose);
    template <typename ForEach, typename Visit>
    void for_meetings(PairKind kind, const ForEach& for_each, double thickness, double gap, const Visit& visit) const;
    bool examine(const Candidate& candidate, const Positions& start, const Positions& end, double recovery,
                 SelfContactPoint& contact) const;
    double target_distance(const Candidate& candidate) const;

    const ClothParts& parts_;
    double thickness_;
    CandidateList candidates_;
    std::map<PairKind, std::vector<const Candidate*>> near_;
    Positions near_end_;  // the ends for which they were found
};

}  // namespace tulle::collision
