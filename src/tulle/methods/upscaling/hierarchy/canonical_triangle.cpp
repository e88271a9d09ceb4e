// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/canonical_triangle.h"

#include <Eigen/LU>

#include <algorithm>

namespace tulle::methods {

namespace {

// dᵀ S d for the direction of each corner: as many numbers as S has, and permuted with the corners.
Eigen::Vector3f along_corners(const Eigen::Vector3f& stretch) {
    Eigen::Vector3f result;
    for (int k = 0; k < 3; ++k) {
        const Eigen::Vector2f d = corner_direction(k);
        result(k) = stretch(0) * d.x() * d.x() + 2 * stretch(1) * d.x() * d.y() + stretch(2) * d.y() * d.y();
    }
    return result;
}

Eigen::Vector3f limited(const Eigen::Vector3f& x) {
    return x.cwiseMax(-most_stretch_input).cwiseMin(most_stretch_input);
}

Eigen::Vector3f in_plane(const Eigen::Vector2f& v) { return {v.x(), v.y(), 0}; }

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
    RestTriangle rest;
    const CanonicalFrame frame = canonical_triangle_frame(corners, unit);
    rest.stretch = along_corners(frame.stretch);
    Eigen::Matrix2f stretch;
    stretch << frame.stretch(0), frame.stretch(1), frame.stretch(1), frame.stretch(2);
    const Eigen::Matrix2f back = stretch.inverse();
    for (size_t k = 0; k < 3; ++k)
        rest.across[k] = back * frame.local.direction_to_local(across[k] - frame.local.origin).head<2>();
    return rest;
}

void write_components(const Eigen::Vector3f& vector, float* components) {
    for (int k = 0; k < 3; ++k) components[k] = component_scale * corner_direction(k).dot(vector.head<2>());
    components[3] = vector.z();
}

Eigen::Vector3f read_components(const float* components) {
    Eigen::Vector3f vector(0, 0, components[3]);
    for (int k = 0; k < 3; ++k) vector.head<2>() += component_scale * components[k] * corner_direction(k);
    return vector;
}

float write_canonical_input(const std::array<Point, 3>& across, const CanonicalFrame& frame, const RestTriangle& rest,
                            std::span<float> input) {
    std::array<Eigen::Vector3f, 3> shape;
    float sum = 0;
    for (size_t k = 0; k < 3; ++k) {
        shape[k] = frame.shape(across[k], rest.across[k].x(), rest.across[k].y());
        sum += shape[k].squaredNorm();
    }
    const float size = std::sqrt(sum / 3), inverse = 1 / std::max(size, least_size);
    for (size_t k = 0; k < 3; ++k) write_components(inverse * shape[k], &input[4 * k]);
    const auto put = [&](size_t first, const Eigen::Vector3f& numbers) {
        Eigen::Map<Eigen::Vector3f>(input.data() + first) = numbers;
    };
    put(12, limited(along_corners(frame.stretch) - Eigen::Vector3f::Ones()));
    put(15, limited(rest.stretch - Eigen::Vector3f::Ones()));
    for (size_t k = 0; k < 3; ++k) {
        std::array<float, 4> components;
        write_components(in_plane(rest.across[k] - regular_place(static_cast<int>(k))), components.data());
        put(18 + 3 * k, limited(Eigen::Vector3f(components[0], components[1], components[2])));
    }
    put(27, Eigen::Vector3f(size_input(size), 0, 0));
    return size;
}

neural::Symmetry triangle_symmetry() {
    neural::Symmetry group;
    std::array<int, 3> order = {0, 1, 2};
    do {
        for (const float side : {1.0f, -1.0f}) {
            neural::SignedPermutation input, output;
            const auto append = [&](neural::SignedPermutation& to, int first, bool has_normal) {  // three vectors
                for (const int vector : order) {
                    const int begin = first + vector * (has_normal ? 4 : 3);
                    for (const int component : order) to.push_back(begin + component, 1);
                    if (has_normal) to.push_back(begin + 3, side);
                }
            };
            const auto append_each = [&](neural::SignedPermutation& to) {  // one number for each corner
                const auto first = static_cast<int>(to.from.size());
                for (const int corner : order) to.push_back(first + corner, 1);
            };
            const auto append_scalars = [&](neural::SignedPermutation& to, int count) {
                for (int i = 0; i < count; ++i) to.push_back(static_cast<int>(to.from.size()), 1);
            };
            append(input, 0, true);
            append_each(input);
            append_each(input);
            append(input, 18, false);
            append_scalars(input, 3);
            append(output, 0, true);
            append_scalars(output, answer_heads);
            const bool only_swaps = order == std::array<int, 3>{1, 0, 2} && side > 0;
            const bool only_turns_over = order == std::array<int, 3>{0, 1, 2} && side < 0;
            if (only_swaps || only_turns_over) group.mirrors.push_back(group.order());
            group.inputs.push_back(input);
            group.outputs.push_back(output);
        }
    } while (std::next_permutation(order.begin(), order.end()));
    return group;
}

}  // namespace tulle::methods
