// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <vector>

namespace tulle::physics {

// How far a force moves a vertex of a cloth within one step. Across the cloth it is as if the vertex were alone. Along
// a spring it has to move what is behind it too: the next vertex, and the springs of that one. An endless chain of
// springs k and masses m resists its end with the s that does not change if one more spring and mass are put before it,
//
//     1/s = 1/k + 1/(m/Δt² + s)
class ChainStiffness {
public:
    ChainStiffness(const ClothModel& model, const VectorX& inverse_masses);  // the model must outlive it

    void look(const Positions& positions, double dt);  // where the springs lie, |V|×3 [m], and the step [s]
    // [m/N] along a direction of unit length, if the force acts throughout the step. Zero if the vertex is pinned.
    // Others are pressed along the rows of `pressed`, |V|×3, zero for those that are not. What moves alike does not
    // hold each other: without that, a whole cloth in a solid was flung out of it.
    double give(int vertex, const Vector3& direction, const Positions& pressed) const;

private:
    const Springs& springs_;
    VectorX inverse_masses_;         // |V| [1/kg]
    double dt_ = 0;                  // [s]
    std::vector<int> first_spring_;  // |V|+1, into
    std::vector<int> spring_of_;     // the springs of each vertex
    Positions along_;                // |E|×3, of unit length
    Eigen::MatrixX2d resistance_;    // |E|×2 [N/m] s, of what is behind either end
};

}  // namespace tulle::physics
