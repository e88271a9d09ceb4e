// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/solvers/solver.h"

#include <string>
#include <utility>

namespace tulle::scene {

// A frame that no cloth can be in: a solver that diverges goes through such before its numbers cease to be finite, and
// one that was asked for too much may stay there.
class LeftSense final : public physics::Divergence {
public:
    LeftSense(int first_vertex, double time, std::string sentence)
        : physics::Divergence(first_vertex, time), sentence_(std::move(sentence)) {}
    const char* what() const noexcept override { return sentence_.c_str(); }

private:
    std::string sentence_;
};

inline constexpr double farthest_sense = 1e6;         // [m] from the origin
inline constexpr double fastest_sense = 299'792'458;  // [m/s] light
inline constexpr double longest_sense = 20;           // of an edge, in rest lengths
inline constexpr double long_for_many = 5;            // of more than a hundredth of the edges, likewise

// Throws LeftSense if a vertex is farther or faster than that, or not finite.
void require_sense(const physics::ClothState& state);

// The same if edges are longer than that. Pins that are pulled apart stretch a cloth less.
void require_sensible_stretch(const physics::ClothModel& model, const physics::ClothState& state);

}  // namespace tulle::scene
