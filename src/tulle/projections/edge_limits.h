// SPDX-License-Identifier: Apache-2.0
// Nearest positions within edge limits, by dual ascent over a working set. An edge well below its limit pulls on
// nothing, so only edges near their limits take part; between rounds all are looked at, and those that came near join.
#pragma once

#include "tulle/projections/dual_ascent.h"

namespace tulle::projections {

struct EdgeLimitProblem {
    const Edges& edges;        // |E|×2, none between two fixed vertices
    const VectorX& mobility;   // |V| 1/k, 0 where fixed
    const Positions& targets;  // |V|×3 r̂ [m]
    const VectorX& limits;     // |E| c [m]
    const VectorX& lengths;    // |E| what violations are measured by [m]
    std::span<const ContactPlane> planes = {};
    double plane_length = 1;                 // likewise [m]
    const LowerLimits* lower = nullptr;      // none: edges may be compressed as they like
    const Rows<double, 3>* start = nullptr;  // multipliers to start from; none: zero
};

struct [[nodiscard]] EdgeLimitSolution {
    Positions positions;          // |V|×3 r [m]
    Rows<double, 3> multipliers;  // a row λ for each edge, then for each plane; zero where it is slack
    int iterations = 0;
    double objective = 0;  // ½‖r − r̂‖²_K
    double gap = 0;        // duality gap relative to the objective
    double violation = 0;  // of the worst constraint
    bool converged = false;
};

EdgeLimitSolution solve_edge_limits(const EdgeLimitProblem& problem, const AscentSettings& settings);

}  // namespace tulle::projections
