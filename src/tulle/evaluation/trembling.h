// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <deque>
#include <optional>

namespace tulle::evaluation {

// How much a motion flickers, from frame after frame: its accelerations a = x₊ − 2x + x₋ behind the high pass
// (−a₊ + 2a − a₋)/4, which lets through all of what goes to and fro between two frames, half of what takes four, and
// nothing of an even acceleration. Both together are the fourth difference of the positions, over four.
class Trembling {
public:
    void add(const Positions& positions);
    // Over all particles and frames [m per frame²]; none before five frames.
    std::optional<double> root_mean_square() const;

private:
    std::deque<Positions> last_;  // at most four frames, oldest first
    double squares_ = 0;          // of every particle, summed
    long count_ = 0;
};

}  // namespace tulle::evaluation
