// SPDX-License-Identifier: Apache-2.0
// The nearest positions r to given ones r̂ whose edges are at most 1 + ε times as long as at rest
// [Geng, Johnson, Fedkiw 2020, section 3]:
//
//     min Σ ½ kᵢ ‖rᵢ − r̂ᵢ‖²   subject to   |r_a − r_b| ≤ (1 + ε) L,        kᵢ the mass of the vertex over their mean.
//
// Convex, so the answer is the only one and is found from anywhere. With a limit on compression it is not: then edges
// are held on their side of a plane that turns with them, and the answer is within both limits, but may depend on r̂ in
// other ways than by being near.
#pragma once

#include "tulle/projections/active_system.h"
#include "tulle/projections/cloth.h"
#include "tulle/projections/pin_reach.h"
#include "tulle/projections/projection.h"

#include <optional>

namespace tulle::projections {

struct InextensibilitySettings {
    double stretch = 0.01;              // ε
    std::optional<double> compression;  // edges are at least (1 − this) L; none: as short as they like
    double tolerance = 1e-6;  // of the duality gap, relative to the objective, and of each edge, relative to L
    int max_iterations = 20'000;
};

class Inextensibility final : public Projection {
public:
    // Throws an Error if the cloth or the settings are not sound.
    Inextensibility(const Cloth& cloth, const InextensibilitySettings& settings = {});

    Projected apply(const Positions& positions, const ApplyOptions& options = {}) const override;
    Gradients adjoint(const Projected& projected, const Positions& gradient) const override;

    const Edges& edges() const { return edges_; }                  // |E|×2
    const VectorX& rest_lengths() const { return rest_lengths_; }  // |E| [m]

private:
    // Of free edges: those with an end that is not fixed.
    VectorX limits(const Positions& positions, double& pin_stretch) const;
    struct Solved;
    Solved solve(const Positions& targets, const VectorX& limits, const ApplyOptions& options) const;
    Solved solve_between(const Positions& targets, const VectorX& limits, const ApplyOptions& options) const;

    Cloth cloth_;
    InextensibilitySettings settings_;
    Edges edges_;
    VectorX rest_lengths_;
    std::vector<int> free_edges_;  // of edges_
    Edges free_ends_;
    VectorX free_lengths_;  // [m] at rest
    VectorX measures_;      // |free edges| what violations are measured by [m]
    double mean_length_ = 1;
    VectorX mobility_;  // |V| 1/k, 0 where fixed
    PinReach reach_;
    ActiveSystem system_;
};

}  // namespace tulle::projections
