// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/hierarchy/triangle_upscaler.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/tiles.h"

#include <atomic>

namespace tulle::methods {

TriangleUpscaler::TriangleUpscaler(const geometry::Subdivision& subdivision, const Positions& fine_rest,
                                   const neural::Network& network, Features features)
    : elements_(subdivision, fine_rest, features),
      network_(network),
      fine_of_vertex_(subdivision.fine_of_vertex),
      fine_of_edge_(subdivision.fine_of_edge),
      answers_of_edge_(subdivision.fine_of_edge.size(), {-1, -1}) {
    if (network_.input_size() != elements_.input_size() || network_.output_size() != TriangleElements::output_size)
        throw Error("a network of {} inputs and {} outputs does not fit {} features of triangles, which want {} and {}",
                    network_.input_size(), network_.output_size(), to_string(features), elements_.input_size(),
                    TriangleElements::output_size);
    for (long t = 0; t < elements_.count(); ++t)
        for (int i = 0; i < 3; ++i) {
            auto& [first, second] = answers_of_edge_[static_cast<size_t>(elements_.edges()(t, i))];
            (first < 0 ? first : second) = 3 * t + i;
        }
}

UpscaleReport TriangleUpscaler::upscale(std::span<const Positions> frames, Positions& fine) const {
    const bool local = elements_.features() == Features::Local;
    const Positions& coarse = frames.back();
    // Single precision is exact enough near the origin only, and local features do not care where that is.
    const Eigen::RowVector3d center =
        local ? Eigen::RowVector3d(coarse.colwise().mean()) : Eigen::RowVector3d(Eigen::RowVector3d::Zero());
    const Rows<float, 3> points = (coarse.rowwise() - center).cast<float>();
    const auto point = [&](int v) { return Point(points.row(v)); };

    Rows<float, 3> answers(3 * elements_.count(), 3);  // where each triangle sees its midpoints
    std::vector<LocalFrame> seen(static_cast<size_t>(elements_.count()));
    std::atomic<long> collapsed = 0;
    for_each_piece(
        network_, elements_.count(),
        [&](long t, float* input) {
            const TrianglePoints p = elements_.gather(t, point);
            LocalFrame& frame = seen[static_cast<size_t>(t)];
            frame = elements_.frame(t, p);
            elements_.write_input(t, p, frame, {input, static_cast<size_t>(elements_.input_size())});
            for (int i = 0; i < 3; ++i) answers.row(3 * t + i) = elements_.base(t, p, i);
        },
        [&](long t, const float* output) {
            const LocalFrame& frame = seen[static_cast<size_t>(t)];
            if (local && !frame.sound) {
                ++collapsed;
                return;
            }
            for (int i = 0; i < 3; ++i)
                answers.row(3 * t + i) +=
                    elements_.answer(frame, Eigen::Map<const Eigen::Vector3f>(output + 3L * i)).transpose();
        });

    fine.resize(fine_count(), 3);
    for (size_t v = 0; v < fine_of_vertex_.size(); ++v) fine.row(fine_of_vertex_[v]) = coarse.row(static_cast<long>(v));
    parallel_for(static_cast<long>(fine_of_edge_.size()), [&](long e) {
        const auto& [first, second] = answers_of_edge_[static_cast<size_t>(e)];
        Eigen::RowVector3f answer = answers.row(first);
        if (second >= 0) answer = 0.5f * (answer + answers.row(second));
        fine.row(fine_of_edge_[static_cast<size_t>(e)]) = answer.cast<double>() + center;
    });
    return {.collapsed_pieces = collapsed};
}

}  // namespace tulle::methods
