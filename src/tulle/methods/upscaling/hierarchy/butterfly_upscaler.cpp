// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/butterfly_upscaler.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/piece_tiles.h"

namespace tulle::methods {

ButterflyUpscaler::ButterflyUpscaler(const geometry::Subdivision& subdivision, const Positions& fine_rest)
    : subdivision_(subdivision), stencils_(butterfly_stencils(subdivision, fine_rest)) {}

UpscaleReport ButterflyUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const Positions& coarse = frames.back();
    const Eigen::RowVector3d origin = origin_for(Features::Canonical, coarse);
    const auto at = [&](int vertex) { return Point((coarse.row(vertex) - origin).transpose().cast<float>()); };
    fine.resize(fine_count(), 3);
    parallel_for(coarse_count(),
                 [&](long v) { fine.row(subdivision_.fine_vertices[static_cast<size_t>(v)]) = coarse.row(v); });
    parallel_for(static_cast<long>(subdivision_.fine_midpoints.size()), [&](long e) {
        fine.row(subdivision_.fine_midpoints[static_cast<size_t>(e)]) =
            stencils_.at(e, at).transpose().cast<double>() + origin;
    });
    return {};
}

}  // namespace tulle::methods
