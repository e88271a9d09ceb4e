// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/canonical_triangle.h"

#include <Eigen/LU>

#include <algorithm>

namespace tulle::methods {

namespace {

// Where a vertex across is if both triangles are equilateral.
Eigen::Vector2f regular_place(int corner) { return -2 * corner_distance * corner_direction(corner); }

}  // namespace

CanonicalFrame canonical_triangle_frame(const std::array<Point, 3>& corners, float unit) {
    // The gradient of a corner's barycentric coordinate is 2/(3·corner_distance) times its direction.
    Point along = Point::Zero(), across = Point::Zero();
    for (int k = 0; k < 3; ++k) {
        const Eigen::Vector2f gradient = 2 / (3 * corner_distance) * corner_direction(k);
        along += gradient.x() * corners[static_cast<size_t>(k)];
        across += gradient.y() * corners[static_cast<size_t>(k)];
    }
    return make_canonical_frame((corners[0] + corners[1] + corners[2]) / 3, along, across, unit);
}

RestTriangle make_rest_triangle(const std::array<Point, 3>& corners, const std::array<Point, 3>& across, float unit) {
    const CanonicalFrame frame = canonical_triangle_frame(corners, unit);
    RestTriangle rest{.across = {}, .stretch = frame.stretch};
    Eigen::Matrix2f stretch;
    stretch << frame.stretch(0), frame.stretch(1), frame.stretch(1), frame.stretch(2);
    const Eigen::Matrix2f back = stretch.inverse();
    for (size_t k = 0; k < 3; ++k)
        rest.across[k] = back * frame.local.direction_to_local(across[k] - frame.local.origin).head<2>();
    return rest;
}

std::array<float, 9> rest_inputs(const RestTriangle& rest) {
    std::array<float, 9> inputs;
    Eigen::Map<Eigen::Vector3f>(inputs.data()) = stretch_input(rest.stretch);
    for (int k = 0; k < 3; ++k)
        Eigen::Map<Eigen::Vector2f>(inputs.data() + 3 + 2L * k) =
            (rest.across[static_cast<size_t>(k)] - regular_place(k))
                .cwiseMax(-most_stretch_input)
                .cwiseMin(most_stretch_input);
    return inputs;
}

float write_canonical_input(const std::array<Point, 3>& across, const std::array<Point, 3>& bends,
                            const CanonicalFrame& frame, const RestTriangle& rest, const Stiffness& stiffness,
                            std::span<float> input) {
    std::array<Eigen::Vector3f, 6> shape;
    for (size_t k = 0; k < 3; ++k) {
        shape[k] = frame.shape(across[k], rest.across[k].x(), rest.across[k].y());
        shape[3 + k] = bend_scale * frame.local.direction_to_local(bends[k]);
    }
    float sum = 0;
    for (const Eigen::Vector3f& one : shape) sum += one.squaredNorm();
    const float size = std::sqrt(sum / 6), inverse = 1 / std::max(size, least_size);
    const auto put = [&](size_t first, const Eigen::Vector3f& numbers) {
        Eigen::Map<Eigen::Vector3f>(input.data() + first) = numbers;
    };
    for (size_t k = 0; k < 6; ++k) put(3 * k, inverse * shape[k]);
    put(18, stretch_input(frame.stretch));
    const std::array<float, 9> at_rest = rest_inputs(rest);
    std::copy(at_rest.begin(), at_rest.end(), input.begin() + 21);
    const auto [bending, inertia] = stiffness_inputs(stiffness, frame.local.unit);
    put(30, Eigen::Vector3f(size_input(size), bending, inertia));
    return size;
}

neural::Symmetry triangle_symmetry() {
    neural::Symmetry group;
    for (const float side : {1.0f, -1.0f})
        for (const bool exchanges : {false, true}) {
            const std::array<int, 3> corners = exchanges ? std::array{0, 2, 1} : std::array{0, 1, 2};
            const float u = exchanges ? -1.0f : 1.0f;
            neural::SignedPermutation input, output;
            const auto append_vectors = [&](neural::SignedPermutation& to, bool has_normal) {
                const auto first = static_cast<int>(to.from.size());
                for (const int corner : corners) {
                    const int begin = first + corner * (has_normal ? 3 : 2);
                    to.push_back(begin, u);
                    to.push_back(begin + 1, 1);
                    if (has_normal) to.push_back(begin + 2, side);
                }
            };
            const auto append = [](neural::SignedPermutation& to, float sign) {
                to.push_back(static_cast<int>(to.from.size()), sign);
            };
            const auto append_stretch = [&] {
                for (const float sign : {1.0f, u, 1.0f}) append(input, sign);
            };
            for (int across_and_bends = 0; across_and_bends < 2; ++across_and_bends) append_vectors(input, true);
            append_stretch();
            append_stretch();
            append_vectors(input, false);
            for (int i = 0; i < 3; ++i) append(input, 1);
            append_vectors(output, true);
            for (int i = 0; i < answer_heads; ++i) append(output, 1);
            if ((side < 0) != exchanges) group.mirrors.push_back(group.order());
            group.inputs.push_back(input);
            group.outputs.push_back(output);
        }
    return group;
}

}  // namespace tulle::methods
