// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/upsampling.h"
#include "tulle/methods/upscaling/upscaler.h"

namespace tulle::methods {

// `bilinear`, `biquadratic`, `bicubic`: what a network has to beat.
class InterpolationUpscaler final : public Upscaler {
public:
    InterpolationUpscaler(const geometry::Miniature& miniature, geometry::Interpolation interpolation)
        : miniature_(miniature), upsampling_(miniature, interpolation) {}

    int coarse_count() const override { return miniature_.coarse.vertex_count(); }
    int fine_count() const override { return miniature_.fine.vertex_count(); }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override {
        upsampling_.apply(frames.back(), fine);
        return {};
    }
    Eigen::VectorXf vertex_bounds(const UpscaleReport&) const override { return Eigen::VectorXf::Zero(fine_count()); }
    Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const override {
        return geometry::interpolate_numbers(miniature_, coarse);
    }

private:
    geometry::Miniature miniature_;
    geometry::Upsampling upsampling_;
};

}  // namespace tulle::methods
