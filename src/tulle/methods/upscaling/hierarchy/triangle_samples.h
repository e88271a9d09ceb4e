// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/methods/upscaling/hierarchy/midpoint_stencils.h"
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"

#include <functional>

namespace tulle::methods {

// Pairs to learn one level of the hierarchy method from: every triangle of the coarser level of every frame of a full
// simulation.
class TriangleSamples final : public datasets::SampleSource {
public:
    // From level `level` − 1 to `level` of the hierarchy, whose finest level is the sequence's mesh. The sequence must
    // outlive this. `base`: of canonical features.
    TriangleSamples(const datasets::Sequence& sequence, const geometry::Hierarchy& hierarchy, int level,
                    MidpointStencils base, Features features, const Stiffness& stiffness = {});

    long count() const override { return sequence_.frame_count() * elements_.count(); }
    int input_size() const override { return elements_.input_size(); }
    int output_size() const override { return elements_.output_size(); }
    void cut(long index, std::span<float> input, std::span<float> output) const override;

private:
    void cut_canonical(long triangle, const std::function<Point(int)>& coarse, const std::array<Point, 3>& truth,
                       const Stiffness& told, std::span<float> input, std::span<float> output) const;

    const datasets::Sequence& sequence_;
    std::vector<int> coarser_level_, finer_level_;  // fine_vertices of both levels
    TriangleElements elements_;
    MidpointStencils base_;
    Stiffness stiffness_;
};

}  // namespace tulle::methods
