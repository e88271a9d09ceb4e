// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/upscaler.h"

#include <memory>
#include <vector>

namespace tulle::methods {

// Upscalers one after the other: the levels of the hierarchy, or any mixture of methods.
class CascadeUpscaler final : public Upscaler {
public:
    // Throws an Error if a stage does not begin where the one before ends, or wants to see earlier frames and is not
    // the first.
    explicit CascadeUpscaler(std::vector<std::unique_ptr<Upscaler>> stages);

    int coarse_count() const override { return stages_.front()->coarse_count(); }
    int fine_count() const override { return stages_.back()->fine_count(); }
    int frames_seen() const override { return stages_.front()->frames_seen(); }
    bool tells_bounds() const override;  // if any of its stages does
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;
    Eigen::VectorXf vertex_bounds(const UpscaleReport& report) const override;
    Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const override;

private:
    std::vector<std::unique_ptr<Upscaler>> stages_;
};

}  // namespace tulle::methods
