// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/miniature/patch.h"

#include "tulle/geometry/upsampling.h"

#include <cassert>

namespace tulle::methods {

namespace {

bool is_inside(const GridPoints& grid, int row, int column) {
    return row >= 0 && row < grid.size.rows && column >= 0 && column < grid.size.columns;
}

}  // namespace

Neighbourhood neighbourhood(const GridPoints& grid, const PatchPlace& place) {
    Neighbourhood around;
    const int first_row = place.row - place.step, first_column = place.column - place.step;
    const auto point = [&](int i, int j) -> Point& { return around[static_cast<size_t>(4 * i + j)]; };
    if (is_inside(grid, first_row, first_column) &&
        is_inside(grid, first_row + 3 * place.step, first_column + 3 * place.step)) {
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
                point(i, j) = grid.at(first_row + i * place.step, first_column + j * place.step);
        return around;
    }
    // Rows that exist are filled in along themselves first, then the missing rows follow from their neighbours.
    const auto row_exists = [&](int i) { return is_inside(grid, first_row + i * place.step, place.column); };
    const auto column_exists = [&](int j) { return is_inside(grid, place.row, first_column + j * place.step); };
    for (int i = 0; i < 4; ++i) {
        if (!row_exists(i)) continue;
        for (int j = 0; j < 4; ++j)
            if (column_exists(j)) point(i, j) = grid.at(first_row + i * place.step, first_column + j * place.step);
        if (!column_exists(0)) point(i, 0) = 2 * point(i, 1) - point(i, 2);
        if (!column_exists(3)) point(i, 3) = 2 * point(i, 2) - point(i, 1);
    }
    for (int j = 0; j < 4; ++j) {
        if (!row_exists(0)) point(0, j) = 2 * point(1, j) - point(2, j);
        if (!row_exists(3)) point(3, j) = 2 * point(2, j) - point(1, j);
    }
    return around;
}

CanonicalFrame canonical_patch_frame(const Neighbourhood& around, float unit) {
    const Point &a = around[5], &b = around[6], &c = around[9], &d = around[10];
    return make_canonical_frame(0.25f * (a + b + c + d), 0.5f * (b - a + d - c), 0.5f * (c - a + d - b), unit);
}

int PatchShape::input_size() const {
    switch (features) {
        case Features::Canonical:
            return 54;
        case Features::Motion:
            return 102;
        case Features::Paper:
            return 36;
        case Features::PaperPositions:
            return 12;
        case Features::PaperVelocities:
            break;
    }
    return 24;
}

float write_canonical_input(const Neighbourhood& around, const CanonicalFrame& frame, const Stiffness& stiffness,
                            std::span<float> input) {
    std::array<Eigen::Vector3f, 16> shape;
    float sum = 0;
    for (int i = 0; i < 16; ++i) {
        const auto k = static_cast<size_t>(i);
        shape[k] = frame.shape(around[k], patch_u(i), patch_v(i));
        sum += shape[k].squaredNorm();
    }
    const float size = std::sqrt(sum / 16), inverse = 1 / std::max(size, least_size);
    for (size_t i = 0; i < 16; ++i) Eigen::Map<Eigen::Vector3f>(input.data() + 3 * i) = inverse * shape[i];
    Eigen::Map<Eigen::Vector3f>(input.data() + 48) = stretch_input(frame.stretch);
    const auto [bending, inertia] = stiffness_inputs(stiffness, frame.local.unit);
    Eigen::Map<Eigen::Vector3f>(input.data() + 51) = Eigen::Vector3f(size_input(size), bending, inertia);
    return size;
}

void write_earlier_shape(const Neighbourhood& before, const CanonicalFrame& frame, float size,
                         std::span<const float> now, std::span<float> input) {
    const float inverse = 1 / std::max(size, least_size);
    for (int i = 0; i < 16; ++i) {
        const auto k = static_cast<size_t>(i);
        Eigen::Map<Eigen::Vector3f> to(input.data() + 3 * k);
        to = Eigen::Map<const Eigen::Vector3f>(now.data() + 3 * k);
        if (frame.is_sound())
            to = (inverse * frame.shape(before[k], patch_u(i), patch_v(i)))
                     .cwiseMax(-most_earlier_shape)
                     .cwiseMin(most_earlier_shape);
    }
}

namespace {

// One of a square's symmetries, and whether the normal is on the other side.
struct SquareSymmetry {
    bool transposes;
    float along, across, normal;  // 1 or -1
};

// What it does to vectors at side×side points.
void append_points(const SquareSymmetry& symmetry, int side, neural::SignedPermutation& to) {
    const auto first = static_cast<int>(to.from.size());
    const auto mirrored = [&](int i, float sign) { return sign > 0 ? i : side - 1 - i; };
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) {
            int from_row = mirrored(row, symmetry.across), from_column = mirrored(column, symmetry.along);
            if (symmetry.transposes) std::swap(from_row, from_column);
            const int from = first + 3 * (from_row * side + from_column);
            to.push_back(from + (symmetry.transposes ? 1 : 0), symmetry.along);
            to.push_back(from + (symmetry.transposes ? 0 : 1), symmetry.across);
            to.push_back(from + 2, symmetry.normal);
        }
}

void append_scalars(int count, neural::SignedPermutation& to) {
    for (int i = 0; i < count; ++i) to.push_back(static_cast<int>(to.from.size()), 1);
}

}  // namespace

neural::Symmetry patch_symmetry(const PatchShape& shape) {
    neural::Symmetry group;
    for (const float normal : {1.0f, -1.0f})
        for (const bool transposes : {false, true})
            for (const float along : {1.0f, -1.0f})
                for (const float across : {1.0f, -1.0f}) {
                    const SquareSymmetry symmetry{transposes, along, across, normal};
                    if (!transposes && along + across + normal == 1) group.mirrors.push_back(group.order());
                    neural::SignedPermutation input, output;
                    append_points(symmetry, 4, input);
                    input.push_back(transposes ? 50 : 48, 1);  // S_uu
                    input.push_back(49, along * across);       // S_uv
                    input.push_back(transposes ? 48 : 50, 1);  // S_vv
                    append_scalars(3, input);
                    if (shape.features == Features::Motion) append_points(symmetry, 4, input);
                    append_points(symmetry, shape.side(), output);
                    append_scalars(answer_heads, output);
                    group.inputs.push_back(input);
                    group.outputs.push_back(output);
                }
    return group;
}

void write_paper_input(std::span<const GridPoints> frames, const PatchPlace& place, Features features, float frame_time,
                       std::span<float> input) {
    assert(static_cast<int>(frames.size()) == frames_seen(features));
    float* next = input.data();
    const auto write = [&](const Point& value) {
        Eigen::Map<Eigen::Vector3f>{next} = value;
        next += 3;
    };
    const auto corner = [&](const GridPoints& grid, int i) {
        return grid.at(place.row + (i / 2) * place.step, place.column + (i % 2) * place.step);
    };
    if (features == Features::PaperVelocities) {
        for (int i = 0; i < 4; ++i) write(corner(frames[1], i));
        for (int i = 0; i < 4; ++i) write((corner(frames[1], i) - corner(frames[0], i)) / frame_time);
        return;
    }
    for (const GridPoints& grid : frames)
        for (int i = 0; i < 4; ++i) write(corner(grid, i));
}

PatchInterpolation::PatchInterpolation(int factor) {
    for (int i = 0; i <= factor; ++i)
        for (int j = 0; j <= factor; ++j) {
            const std::array<double, 4> down = geometry::catmull_rom(static_cast<double>(i) / factor);
            const std::array<double, 4> right = geometry::catmull_rom(static_cast<double>(j) / factor);
            std::array<float, 16> weights{};
            for (size_t k = 0; k < 16; ++k) weights[k] = static_cast<float>(down[k / 4] * right[k % 4]);
            weights_.push_back(weights);
        }
}

Point PatchInterpolation::at(int vertex, const Neighbourhood& around) const {
    const std::array<float, 16>& weights = weights_[static_cast<size_t>(vertex)];
    Point sum = Point::Zero();
    for (size_t k = 0; k < 16; ++k) sum += weights[k] * around[k];
    return sum;
}

}  // namespace tulle::methods
