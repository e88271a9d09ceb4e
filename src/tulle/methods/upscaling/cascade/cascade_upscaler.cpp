// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::methods {

CascadeUpscaler::CascadeUpscaler(std::vector<std::unique_ptr<Upscaler>> stages) : stages_(std::move(stages)) {
    if (stages_.empty()) throw Error("a cascade needs at least one stage");
    for (size_t i = 1; i < stages_.size(); ++i) {
        if (stages_[i]->coarse_count() != stages_[i - 1]->fine_count())
            throw Error("stage {} of the cascade starts from {} vertices, but the stage before ends with {}", i + 1,
                        stages_[i]->coarse_count(), stages_[i - 1]->fine_count());
        if (stages_[i]->frames_seen() > 1)
            throw Error(
                "stage {} of the cascade looks at earlier frames; only the first stage can: give it local features",
                i + 1);
    }
}

bool CascadeUpscaler::tells_bounds() const {
    return std::ranges::any_of(stages_, [](const auto& stage) { return stage->tells_bounds(); });
}

Eigen::VectorXf CascadeUpscaler::carry(const Eigen::VectorXf& coarse) const {
    Eigen::VectorXf fine = coarse;
    for (const auto& stage : stages_) fine = stage->carry(fine);
    return fine;
}

UpscaleReport CascadeUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    UpscaleReport report;
    Positions between;  // what the last stage made
    for (const auto& stage : stages_) {
        Positions finer;
        Positions& made = stage == stages_.back() ? fine : finer;
        report.stages.push_back(stage->upscale(frames, made));
        report.collapsed_pieces += report.stages.back().collapsed_pieces;
        between = std::move(finer);
        frames = {&between, 1};
    }
    return report;
}

// What one stage is off by comes on top of what the stages before it were.
Eigen::VectorXf CascadeUpscaler::vertex_bounds(const UpscaleReport& report) const {
    Eigen::VectorXf bounds = Eigen::VectorXf::Zero(coarse_count());
    for (size_t i = 0; i < stages_.size(); ++i)
        bounds = stages_[i]->carry(bounds) + stages_[i]->vertex_bounds(report.stages[i]);
    return bounds;
}

}  // namespace tulle::methods
