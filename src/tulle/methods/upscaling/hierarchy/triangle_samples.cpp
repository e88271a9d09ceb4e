// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"

#include "tulle/geometry/miniature.h"

#include <algorithm>

namespace tulle::methods {

TriangleSamples::TriangleSamples(const datasets::Sequence& sequence, const geometry::Hierarchy& hierarchy, int level,
                                 Features features)
    : sequence_(sequence),
      coarser_level_(hierarchy.fine_vertices[static_cast<size_t>(level - 1)]),
      finer_level_(hierarchy.fine_vertices[static_cast<size_t>(level)]),
      elements_(hierarchy.subdivisions[static_cast<size_t>(level - 1)],
                geometry::sample(finer_level_, sequence.mesh.positions), features) {}

void TriangleSamples::cut(long index, std::span<float> input, std::span<float> output) const {
    const float* frame_points = sequence_.frame(index / elements_.count());
    const long triangle = index % elements_.count();
    const auto at = [&](int vertex) { return Point(Eigen::Map<const Point>(frame_points + 3L * vertex)); };
    const TrianglePoints p =
        elements_.gather(triangle, [&](int v) { return at(coarser_level_[static_cast<size_t>(v)]); });
    const LocalFrame frame = elements_.frame(triangle, p);
    if (elements_.features() == Features::Local && !frame.sound) {
        std::fill(input.begin(), input.end(), 0.0f);
        std::fill(output.begin(), output.end(), 0.0f);
        return;
    }
    elements_.write_input(triangle, p, frame, input);
    for (int i = 0; i < 3; ++i) {
        const Point truth = at(finer_level_[static_cast<size_t>(elements_.midpoints()(triangle, i))]);
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * i) =
            elements_.target(frame, truth - elements_.base(triangle, p, i));
    }
}

}  // namespace tulle::methods
