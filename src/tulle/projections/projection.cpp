// SPDX-License-Identifier: Apache-2.0
#include "tulle/projections/projection.h"

#include <algorithm>

namespace tulle::projections {

namespace {

void join(const ProjectionReport& stage, ProjectionReport& whole) {
    whole.solved = whole.solved && stage.solved;
    if (!stage.problem.empty()) whole.problem += (whole.problem.empty() ? "" : "; ") + stage.problem;
    whole.iterations += stage.iterations;
    whole.gap = std::max(whole.gap, stage.gap);
    whole.violation = std::max(whole.violation, stage.violation);
    whole.gradient = std::max(whole.gradient, stage.gradient);
    whole.objective = stage.objective;
    whole.pin_stretch = std::max(whole.pin_stretch, stage.pin_stretch);
}

void join(const AdjointReport& stage, AdjointReport& whole) {
    whole.solved = whole.solved && stage.solved;
    whole.singular = whole.singular || stage.singular;
    whole.definite = whole.definite && stage.definite;
    whole.active += stage.active;
    whole.residual = std::max(whole.residual, stage.residual);
}

}  // namespace

Projected ProjectionChain::apply(const Positions& positions, const ApplyOptions& options) const {
    Projected whole{.input = positions, .positions = positions};
    for (size_t i = 0; i < projections_.size(); ++i) {
        ApplyOptions stage = options;
        stage.previous =
            options.previous && i < options.previous->stages.size() ? &options.previous->stages[i] : nullptr;
        whole.stages.push_back(projections_[i]->apply(whole.positions, stage));
        whole.positions = whole.stages.back().positions;
        join(whole.stages.back().report, whole.report);
    }
    return whole;
}

Gradients ProjectionChain::adjoint(const Projected& projected, const Positions& gradient) const {
    Gradients whole{.positions = gradient};
    for (size_t i = projections_.size(); i-- > 0;) {
        Gradients stage = projections_[i]->adjoint(projected.stages[i], whole.positions);
        whole.positions = std::move(stage.positions);
        whole.mu += stage.mu;
        if (stage.vertex_mu.size() > 0) whole.vertex_mu = std::move(stage.vertex_mu);
        join(stage.report, whole.report);
    }
    return whole;
}

}  // namespace tulle::projections
