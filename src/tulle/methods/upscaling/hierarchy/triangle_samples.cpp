// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"

#include "tulle/geometry/miniature.h"

#include <algorithm>

namespace tulle::methods {

TriangleSamples::TriangleSamples(const datasets::Sequence& sequence, const geometry::Hierarchy& hierarchy, int level,
                                 MidpointStencils base, Features features, const Stiffness& stiffness)
    : sequence_(sequence),
      coarser_level_(hierarchy.fine_vertices[static_cast<size_t>(level - 1)]),
      finer_level_(hierarchy.fine_vertices[static_cast<size_t>(level)]),
      elements_(hierarchy.subdivisions[static_cast<size_t>(level - 1)],
                geometry::sample(finer_level_, sequence.mesh.positions), features),
      base_(std::move(base)),
      stiffness_(stiffness) {}

void TriangleSamples::cut(long index, std::span<float> input, std::span<float> output) const {
    const float* frame_points = sequence_.frame(index / elements_.count());
    const long triangle = index % elements_.count();
    const auto at = [&](int vertex) { return Point(Eigen::Map<const Point>(frame_points + 3L * vertex)); };
    const auto coarse = [&](int vertex) { return at(coarser_level_[static_cast<size_t>(vertex)]); };
    const auto truth = [&](int i) { return at(finer_level_[static_cast<size_t>(elements_.midpoints()(triangle, i))]); };
    if (elements_.features() == Features::Canonical) {
        // From a corner, so that single precision is exact enough.
        const Point corner = coarse(elements_.triangles()(triangle, 0));
        return cut_canonical(
            triangle, [&](int v) -> Point { return coarse(v) - corner; },
            {truth(0) - corner, truth(1) - corner, truth(2) - corner},
            tells_stiffness(index) ? stiffness_ : Stiffness{}, input, output);
    }
    const TrianglePoints p = elements_.gather(triangle, coarse);
    elements_.write_paper_input(triangle, p, input);
    for (int i = 0; i < 3; ++i)
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * i) = truth(i) - elements_.rest_midpoint(triangle, i);
}

void TriangleSamples::cut_canonical(long triangle, const std::function<Point(int)>& coarse,
                                    const std::array<Point, 3>& truth, const Stiffness& told, std::span<float> input,
                                    std::span<float> output) const {
    const TrianglePoints p = elements_.gather(triangle, coarse);
    std::array<Point, 3> base;
    for (int i = 0; i < 3; ++i) base[static_cast<size_t>(i)] = base_.at(elements_.edges()(triangle, i), coarse);
    const CanonicalFrame frame = elements_.canonical_frame(triangle, p);
    const float scale =
        answer_scale(frame.is_sound() ? elements_.write_canonical(triangle, p, base, frame, told, input) : 0);
    if (scale == 0) {  // such a triangle is interpolated at run time, so there is nothing to learn
        std::fill(input.begin(), input.end(), 0.0f);
        std::fill(output.begin(), output.end(), 0.0f);
        return;
    }
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3f local =
            frame.local.direction_to_local(truth[static_cast<size_t>(i)] - base[static_cast<size_t>(i)]);
        Eigen::Map<Eigen::Vector3f>(output.data() + 3L * TriangleElements::opposite_corner(i)) = local / scale;
        sum += local.squaredNorm();
    }
    output[9] = sample_weight(std::sqrt(sum / 3));
    output[10] = 0;
}

}  // namespace tulle::methods
