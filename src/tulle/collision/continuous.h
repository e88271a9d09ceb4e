// SPDX-License-Identifier: Apache-2.0
// Continuous detection: when do two parts of a cloth that move on straight lines come too close?
#pragma once

#include "tulle/collision/separation.h"

#include <optional>

namespace tulle::collision {

// An upper bound on how much the distance of the pair can change while each point moves from `start` to `end` [m].
// What all four points have in common does not count.
double relative_reach(PairKind kind, const FourPoints& start, const FourPoints& end);

// The part of the motion, in (0, 1], after which the distance has fallen to between gap/2 and gap; nothing if it stays
// above. Never too late: up to that time the distance is above gap/2. `gap` is below the distance at the start.
//
// Additive continuous detection (the idea of Li, Kaufman and Jiang 2021): the distance cannot shrink faster than the
// relative motion, so time can safely advance by (distance − gap/2) / reach, again and again.
std::optional<double> time_of_approach(PairKind kind, const FourPoints& start, const FourPoints& end, double gap);

}  // namespace tulle::collision
