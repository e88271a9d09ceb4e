// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"

#include "tulle/core/error.h"

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

namespace {

// What one stage is off by comes on top of what the stages before it were.
void add_bounds(const Eigen::VectorXf& own, Eigen::VectorXf& bounds) {
    if (bounds.size() == 0)
        bounds = own;
    else if (own.size() > 0)
        bounds += own;
}

}  // namespace

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
        const UpscaleReport own = stage->upscale(frames, made);
        report.collapsed_pieces += own.collapsed_pieces;
        if (report.bounds.size() > 0) report.bounds = stage->carry(report.bounds);
        add_bounds(own.bounds, report.bounds);
        between = std::move(finer);
        frames = {&between, 1};
    }
    return report;
}

}  // namespace tulle::methods
