// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/candidate_list.h"
#include "tulle/collision/collider_response.h"
#include "tulle/collision/contact_pass.h"

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

struct SelfContactOutcome {
    bool slowed = false;
    int contacts = 0;
    int truncated_vertices = 0;
    int unresolved = 0;
};

// Keeps a cloth out of itself: pairs that come closer than the thickness are pushed apart with friction; whatever still
// would pass through is held back on its way, so that the end of a step is as free of intersections as its start.
class SelfContact {
public:
    SelfContact(ClothParts parts, const SelfContactSettings& settings);
    SelfContact(const SelfContact&) = delete;  // the candidate list looks at parts_
    SelfContact& operator=(const SelfContact&) = delete;

    // Corrects `end`. `colliders` may be null.
    SelfContactOutcome resolve(const Positions& start, Positions& end, double dt, const ColliderResponse* colliders);
    void forget() { candidates_.forget(); }

private:
    bool slow_down(const Positions& start, Positions& end) const;
    std::vector<SelfContactPoint> detect(const Positions& start, const Positions& end, double recovery);
    std::vector<SelfContactPoint> detect_again(std::vector<SelfContactPoint> contacts, const Positions& start,
                                               const Positions& before, const Positions& end, double recovery);
    template <typename Choose>
    std::vector<SelfContactPoint> examine_all(const Positions& start, const Positions& end, double recovery,
                                              const Choose& choose);
    bool examine(const Positions& start, const Positions& end, double recovery, SelfContactPoint& contact) const;
    double target_distance(const PartPair& pair, const std::array<int, 4>& vertices) const;
    void push_apart(const std::vector<SelfContactPoint>& contacts, const Positions& start, Positions& end) const;
    double push_apart(const SelfContactPoint& contact, const Positions& start, Positions& end) const;
    void keep_outside(const std::vector<SelfContactPoint>& contacts, const ColliderResponse& colliders,
                      const Positions& start, Positions& end) const;
    // Scales back the way from `start` to `end` of every vertex that would pass through something.
    void hold_back(std::vector<SelfContactPoint> hits, const ColliderResponse* colliders, const Positions& start,
                   Positions& end, SelfContactOutcome& outcome);
    std::vector<SelfContactPoint> find_hits(const Positions& start, const Positions& end,
                                            const std::vector<char>& moved);

    ClothParts parts_;
    SelfContactSettings settings_;
    CandidateList candidates_;
};

}  // namespace tulle::collision
