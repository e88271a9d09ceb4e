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

LocalFrame patch_frame(const Neighbourhood& around, float unit) {
    const Point &a = around[5], &b = around[6], &c = around[9], &d = around[10];
    return make_frame(0.25f * (a + b + c + d), 0.5f * (b - a + d - c), 0.5f * (c - a + d - b), unit);
}

int PatchShape::input_size() const {
    switch (features) {
        case Features::Local:
            return 48;
        case Features::Paper:
            return 36;
        case Features::PaperPositions:
            return 12;
        case Features::PaperVelocities:
            break;
    }
    return 24;
}

// Compiled for AVX2 too and chosen when the program starts.
__attribute__((target_clones("arch=x86-64-v3", "default"))) void write_local_input(const Neighbourhood& around,
                                                                                   const LocalFrame& frame,
                                                                                   std::span<float> input) {
    // All sixteen points at once, coordinate by coordinate, which the compiler turns into vector instructions.
    const Eigen::Matrix3f axes = frame.axes / frame.unit;
    float x[16], y[16], z[16];
    for (size_t i = 0; i < 16; ++i) {
        const Point from_origin = around[i] - frame.origin;
        x[i] = from_origin.x();
        y[i] = from_origin.y();
        z[i] = from_origin.z();
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float a = axes(0, axis), b = axes(1, axis), c = axes(2, axis);
        float local[16];
        for (size_t i = 0; i < 16; ++i) local[i] = a * x[i] + b * y[i] + c * z[i];
        for (size_t i = 0; i < 16; ++i) input[3 * i + static_cast<size_t>(axis)] = local[i];
    }
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
