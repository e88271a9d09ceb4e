// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"

#include "tulle/geometry/miniature.h"

#include <algorithm>

namespace tulle::methods {

TriangleSamples::TriangleSamples(const datasets::Sequence& sequence, const geometry::Hierarchy& hierarchy, int level,
                                 Features features, const Stiffness& stiffness)
    : sequence_(sequence),
      coarser_level_(hierarchy.fine_vertices[static_cast<size_t>(level - 1)]),
      finer_level_(hierarchy.fine_vertices[static_cast<size_t>(level)]),
      elements_(hierarchy.subdivisions[static_cast<size_t>(level - 1)],
                geometry::sample(finer_level_, sequence.mesh.positions), features),
      stiffness_(stiffness) {}

void TriangleSamples::cut(long index, std::span<float> input, std::span<float> output) const {
    const float* frame_points = sequence_.frame(index / elements_.count());
    const long triangle = index % elements_.count();
    const auto at = [&](int vertex) { return Point(Eigen::Map<const Point>(frame_points + 3L * vertex)); };
    const TrianglePoints p =
        elements_.gather(triangle, [&](int v) { return at(coarser_level_[static_cast<size_t>(v)]); });
    const auto truth = [&](int i) { return at(finer_level_[static_cast<size_t>(elements_.midpoints()(triangle, i))]); };
    if (elements_.features() == Features::Canonical)
        return cut_canonical(triangle, p, {truth(0), truth(1), truth(2)},
                             tells_stiffness(index) ? stiffness_ : Stiffness{}, input, output);
    elements_.write_paper_input(triangle, p, input);
    for (int i = 0; i < 3; ++i)
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * i) = truth(i) - elements_.base(triangle, p, i);
}

void TriangleSamples::cut_canonical(long triangle, const TrianglePoints& p, const std::array<Point, 3>& truth,
                                    const Stiffness& told, std::span<float> input, std::span<float> output) const {
    const CanonicalFrame frame = elements_.canonical_frame(triangle, p);
    const float scale = answer_scale(frame.is_sound() ? elements_.write_canonical(triangle, p, frame, told, input) : 0);
    if (scale == 0) {  // such a triangle is interpolated at run time, so there is nothing to learn
        std::fill(input.begin(), input.end(), 0.0f);
        std::fill(output.begin(), output.end(), 0.0f);
        return;
    }
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3f off =
            frame.local.direction_to_local(truth[static_cast<size_t>(i)] - elements_.base(triangle, p, i));
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * TriangleElements::opposite_corner(i)) = off / scale;
        sum += off.squaredNorm();
    }
    output[9] = sample_weight(std::sqrt(sum / 3));
    output[10] = 0;
}

}  // namespace tulle::methods
