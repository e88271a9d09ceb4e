// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/butterfly_upscaler.h"

#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/piece_tiles.h"

namespace tulle::methods {

ButterflyUpscaler::ButterflyUpscaler(const geometry::Subdivision& subdivision, const Positions& fine_rest)
    : subdivision_(subdivision),
      elements_(subdivision, fine_rest, Features::Canonical),
      sides_(subdivision.fine_midpoints.size(), {Side{-1, 0}, Side{-1, 0}}) {
    for (long t = 0; t < elements_.count(); ++t)
        for (int i = 0; i < 3; ++i) {
            auto& [first, second] = sides_[static_cast<size_t>(elements_.edges()(t, i))];
            second = {t, i};
            if (first.triangle < 0) first = second;
        }
}

UpscaleReport ButterflyUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const Positions& coarse = frames.back();
    const Eigen::RowVector3d origin = origin_for(elements_.features(), coarse);
    const auto at = [&](int vertex) { return Point((coarse.row(vertex) - origin).transpose().cast<float>()); };
    const auto midpoint = [&](const Side& side) {
        return elements_.base(side.triangle, elements_.gather(side.triangle, at), side.midpoint);
    };
    fine.resize(fine_count(), 3);
    parallel_for(coarse_count(),
                 [&](long v) { fine.row(subdivision_.fine_vertices[static_cast<size_t>(v)]) = coarse.row(v); });
    parallel_for(static_cast<long>(sides_.size()), [&](long e) {
        const auto& [first, second] = sides_[static_cast<size_t>(e)];
        const Point mean = 0.5f * (midpoint(first) + midpoint(second));
        fine.row(subdivision_.fine_midpoints[static_cast<size_t>(e)]) = mean.transpose().cast<double>() + origin;
    });
    return {};
}

}  // namespace tulle::methods
