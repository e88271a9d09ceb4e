// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/hierarchy/midpoint_stencils.h"
#include "tulle/methods/upscaling/upscaler.h"

namespace tulle::methods {

// One level of `butterfly`. On meshes that are no grids it is the hierarchy with a network that says zero.
class ButterflyUpscaler final : public Upscaler {
public:
    // `fine_rest`: rest positions of the finer level.
    ButterflyUpscaler(const geometry::Subdivision& subdivision, const Positions& fine_rest);

    int coarse_count() const override { return subdivision_.coarse_count(); }
    int fine_count() const override { return subdivision_.fine_count(); }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;
    Eigen::VectorXf vertex_bounds(const UpscaleReport&) const override { return Eigen::VectorXf::Zero(fine_count()); }
    Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const override {
        return geometry::interpolate_numbers(subdivision_, coarse);
    }

private:
    geometry::Subdivision subdivision_;
    MidpointStencils stencils_;
};

}  // namespace tulle::methods
