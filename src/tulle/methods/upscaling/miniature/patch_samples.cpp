// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/miniature/patch_samples.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace tulle::methods {

PatchSamples::PatchSamples(const datasets::Sequence& sequence, const PatchShape& shape, const Stiffness& stiffness,
                           const datasets::Sequence* coarse)
    : sequence_(sequence),
      coarse_(coarse),
      shape_(shape),
      stiffness_(stiffness),
      interpolation_(shape.factor),
      step_(coarse ? shape.factor : 1) {
    const geometry::GridSize& grid = sequence.grid;
    if (grid.rows <= shape.factor || grid.columns <= shape.factor)
        throw Error("'{}' is no grid of more than {}×{} vertices, so it has no patches to learn from", sequence.name,
                    shape.factor, shape.factor);
    assert(!coarse || is_canonical(shape.features));
    unit_ = rest_spacing(grid, sequence.mesh.positions, shape.factor);
    first_frame_ = frames_seen(shape.features) - 1;
    frames_ = std::max(0L, sequence.frame_count() - first_frame_);
    windows_per_row_ = (grid.columns - shape.factor - 1) / step_ + 1;
    windows_ = ((grid.rows - shape.factor - 1) / step_ + 1) * windows_per_row_;
}

void PatchSamples::cut(long index, std::span<float> input, std::span<float> output) const {
    const long now = first_frame_ + index / windows_;
    const long window = index % windows_;
    const PatchPlace place{.row = static_cast<int>(window / windows_per_row_) * step_,
                           .column = static_cast<int>(window % windows_per_row_) * step_,
                           .step = shape_.factor};
    if (is_canonical(shape_.features))
        return cut_canonical(now, place, tells_stiffness(index) ? stiffness_ : Stiffness{}, input, output);

    std::array<GridPoints, 3> seen;
    const auto count = static_cast<size_t>(frames_seen(shape_.features));
    for (size_t i = 0; i < count; ++i) seen[i] = frame(now - static_cast<long>(count - 1 - i));
    write_paper_input({seen.data(), count}, place, shape_.features, static_cast<float>(sequence_.frame_time), input);
    const GridPoints grid = frame(now);
    for (int v = 0; v < interpolation_.count(); ++v)
        Eigen::Map<Point>(output.data() + 3L * v) =
            grid.at(place.row + v / shape_.side(), place.column + v % shape_.side());
}

Neighbourhood PatchSamples::seen(long now, const PatchPlace& place) const {
    if (!coarse_) return neighbourhood(frame(now), place);
    return neighbourhood({coarse_->grid, coarse_->frame(now)},
                         {.row = place.row / shape_.factor, .column = place.column / shape_.factor});
}

void PatchSamples::cut_canonical(long now, const PatchPlace& place, const Stiffness& told, std::span<float> input,
                                 std::span<float> output) const {
    const Neighbourhood around = seen(now, place);
    const GridPoints grid = this->frame(now);
    const CanonicalFrame frame = canonical_patch_frame(around, unit_);
    const float size = frame.is_sound() ? write_canonical_input(around, frame, told, input) : 0;
    const float scale = answer_scale(size);
    if (scale == 0) {  // such a patch stays bicubic at run time, so there is nothing to learn
        std::fill(input.begin(), input.end(), 0.0f);
        std::fill(output.begin(), output.end(), 0.0f);
        return;
    }
    if (shape_.features == Features::Motion) {
        const Neighbourhood before = seen(now - 1, place);
        write_earlier_shape(before, canonical_patch_frame(before, unit_), size, input.first(48), input.subspan(54));
    }
    float sum = 0;
    for (int v = 0; v < shape_.points(); ++v) {
        const Point truth = grid.at(place.row + v / shape_.side(), place.column + v % shape_.side());
        const Eigen::Vector3f off = frame.local.direction_to_local(truth - interpolation_.at(v, around));
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * v) = off / scale;
        sum += off.squaredNorm();
    }
    output[static_cast<size_t>(3 * shape_.points())] =
        sample_weight(std::sqrt(sum / static_cast<float>(shape_.points())));
    output.back() = 0;
}

float rest_spacing(const geometry::GridSize& grid, const Positions& rest, int step) {
    const double right = (rest.row(grid.index(0, step)) - rest.row(0)).norm();
    const double down = (rest.row(grid.index(step, 0)) - rest.row(0)).norm();
    return static_cast<float>(0.5 * (right + down));
}

}  // namespace tulle::methods
