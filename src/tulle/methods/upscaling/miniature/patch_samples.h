// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/methods/upscaling/miniature/patch.h"

namespace tulle::methods {

// Pairs to learn the miniature method from: every window of (s+1)×(s+1) vertices of every frame of a full simulation,
// its corners (and what lies around them) as the input, all of it as the answer.
class PatchSamples final : public datasets::SampleSource {
public:
    // The sequence must outlive this and must be of a grid.
    PatchSamples(const datasets::Sequence& sequence, const PatchShape& shape);

    long count() const override { return frames_ * windows_; }
    int input_size() const override { return shape_.input_size(); }
    int output_size() const override { return shape_.output_size(); }
    void cut(long index, std::span<float> input, std::span<float> output) const override;

private:
    GridPoints frame(long index) const { return {sequence_.grid, sequence_.frame(index)}; }
    void cut_canonical(const GridPoints& grid, const PatchPlace& place, std::span<float> input,
                       std::span<float> output) const;
    void cut_local(const GridPoints& grid, const PatchPlace& place, std::span<float> input,
                   std::span<float> output) const;

    const datasets::Sequence& sequence_;
    PatchShape shape_;
    PatchInterpolation interpolation_;
    float unit_;  // [m] between coarse vertices at rest
    long first_frame_, frames_, windows_;
};

// [m] mean distance from a vertex to the next `step` rows or columns on, at rest.
float rest_spacing(const geometry::GridSize& grid, const Positions& rest, int step);

}  // namespace tulle::methods
