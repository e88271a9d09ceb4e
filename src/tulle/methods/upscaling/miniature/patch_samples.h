// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/methods/upscaling/miniature/patch.h"

namespace tulle::methods {

// Pairs to learn the miniature method from: every window of (s+1)×(s+1) vertices of every frame of a full simulation,
// its corners (and what lies around them) as the input, all of it as the answer. Or the cells of a coarse cloth that
// was simulated beside it as the input, where that cloth is, not where it should be.
class PatchSamples final : public datasets::SampleSource {
public:
    // The sequences must outlive this and must be of grids. `coarse`: null, or the coarse cloth, frame by frame; only
    // for canonical features.
    PatchSamples(const datasets::Sequence& sequence, const PatchShape& shape, const Stiffness& stiffness = {},
                 const datasets::Sequence* coarse = nullptr);

    long count() const override { return frames_ * windows_; }
    int input_size() const override { return shape_.input_size(); }
    int output_size() const override { return shape_.output_size(); }
    void cut(long index, std::span<float> input, std::span<float> output) const override;

private:
    GridPoints frame(long index) const { return {sequence_.grid, sequence_.frame(index)}; }
    Neighbourhood seen(long now, const PatchPlace& place) const;  // by the network
    void cut_canonical(long now, const PatchPlace& place, const Stiffness& told, std::span<float> input,
                       std::span<float> output) const;

    const datasets::Sequence& sequence_;
    const datasets::Sequence* coarse_;
    PatchShape shape_;
    Stiffness stiffness_;
    PatchInterpolation interpolation_;
    float unit_;  // [m] between coarse vertices at rest
    int step_;    // rows and columns from one window to the next
    long first_frame_, frames_, windows_, windows_per_row_;
};

// [m] mean distance from a vertex to the next `step` rows or columns on, at rest.
float rest_spacing(const geometry::GridSize& grid, const Positions& rest, int step);

}  // namespace tulle::methods
