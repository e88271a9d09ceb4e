// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/solvers/solver.h"

namespace tulle::physics {

// Extended position-based dynamics: each spring is a constraint |d| = L of compliance 1/k, solved one after the other
// (Gauss–Seidel), with the total multiplier kept over the iterations of a step. Springs of one colour share no vertex
// and are solved at the same time.
class Xpbd final : public Solver {
public:
    Xpbd(const ClothModel& model, const World& world, ForceList forces, const XpbdSettings& settings);

private:
    void step(ClothState& state, double dt, StepReport& report) override;
    void solve_spring(int spring, Positions& positions, double dt);
    void solve_hinge(int hinge, Positions& positions, double dt);

    XpbdSettings settings_;
    std::vector<std::vector<int>> spring_colors_;
    std::vector<std::vector<int>> hinge_colors_;
    VectorX rest_lengths_;         // |E| [m] of this step
    VectorX stiffness_;            // |E| [N/m] of this step
    VectorX spring_multipliers_;   // |E| λ [N s²]
    Positions hinge_multipliers_;  // |H|×3 λ [N s²]
};

}  // namespace tulle::physics
