// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/upsampling.h"

#include <algorithm>

namespace tulle::geometry {

namespace {

constexpr int width = 4;  // of a stencil

// A sum over vertices first, first + 1, … that may lie beyond the ends of the line, where it is continued linearly.
LineStencil fold_into_line(int first, const std::array<double, 4>& weights, int count) {
    LineStencil folded{.first = std::clamp(first, 0, std::max(0, count - width)), .weights = {}};
    const auto give = [&](int vertex, double weight) {
        if (weight != 0) folded.weights[static_cast<size_t>(vertex - folded.first)] += weight;
    };
    for (int i = 0; i < width; ++i) {
        const double weight = weights[static_cast<size_t>(i)];
        const int vertex = first + i;
        if (vertex < 0) {  // x₀ + (x₀ − x₁) d
            give(0, weight * (1 - vertex));
            give(1, weight * vertex);
        } else if (vertex >= count) {
            const int beyond = vertex - (count - 1);
            give(count - 1, weight * (1 + beyond));
            give(count - 2, -weight * beyond);
        } else {
            give(vertex, weight);
        }
    }
    return folded;
}

// The parabola through three neighbouring vertices, of which the first is even where the line allows it.
LineStencil parabola(int cell, double t, int count) {
    if (count < 3) return fold_into_line(cell, {1 - t, t, 0, 0}, count);
    const int first = std::min(cell - cell % 2, count - 3);
    const double x = cell - first + t;  // [0, 2]
    return fold_into_line(first, {(x - 1) * (x - 2) / 2, x * (2 - x), x * (x - 1) / 2, 0}, count);
}

LineStencil stencil(Interpolation interpolation, int cell, double t, int count) {
    switch (interpolation) {
        case Interpolation::Bilinear:
            return fold_into_line(cell, {1 - t, t, 0, 0}, count);
        case Interpolation::Biquadratic:
            return parabola(cell, t, count);
        case Interpolation::Bicubic:
            break;
    }
    return fold_into_line(cell - 1, catmull_rom(t), count);
}

}  // namespace

std::array<double, 4> catmull_rom(double t) {
    const double t2 = t * t, t3 = t2 * t;
    return {-0.5 * t + t2 - 0.5 * t3, 1 - 2.5 * t2 + 1.5 * t3, 0.5 * t + 2 * t2 - 1.5 * t3, -0.5 * t2 + 0.5 * t3};
}

std::vector<LineStencil> line_stencils(Interpolation interpolation, int coarse, int factor) {
    std::vector<LineStencil> stencils;
    for (int i = 0; i <= (coarse - 1) * factor; ++i) {
        const int cell = std::min(i / factor, coarse - 2);
        const double t = static_cast<double>(i - cell * factor) / factor;
        const bool on_vertex = i % factor == 0;  // exactly its value, free of rounding
        stencils.push_back(on_vertex ? fold_into_line(i / factor, {1, 0, 0, 0}, coarse)
                                     : stencil(interpolation, cell, t, coarse));
    }
    return stencils;
}

Upsampling::Upsampling(const Miniature& miniature, Interpolation interpolation)
    : miniature_(miniature),
      rows_(line_stencils(interpolation, miniature.coarse.rows, miniature.factor)),
      columns_(line_stencils(interpolation, miniature.coarse.columns, miniature.factor)) {}

void Upsampling::apply(const Positions& coarse, Positions& fine) const {
    fine.resize(miniature_.fine.vertex_count(), 3);
    fill_rows(coarse, 0, miniature_.fine.rows, fine);
}

void Upsampling::fill_rows(const Positions& coarse, int begin, int end, Positions& fine) const {
    const GridSize& from = miniature_.coarse;
    const GridSize& to = miniature_.fine;
    Positions line(from.columns, 3);
    for (int row = begin; row < end; ++row) {
        // Summed from up to four coarse rows, then filled in along the row.
        const LineStencil& down = rows_[static_cast<size_t>(row)];
        line.setZero();
        for (int i = 0; i < width; ++i)
            if (const double weight = down.weights[static_cast<size_t>(i)]; weight != 0)
                line += weight * coarse.middleRows(from.index(down.first + i, 0), from.columns);
        for (int column = 0; column < to.columns; ++column) {
            const LineStencil& along = columns_[static_cast<size_t>(column)];
            Eigen::RowVector3d sum = along.weights[0] * line.row(along.first);
            for (int i = 1; i < width; ++i)
                if (const double weight = along.weights[static_cast<size_t>(i)]; weight != 0)
                    sum += weight * line.row(along.first + i);
            fine.row(to.index(row, column)) = sum;
        }
    }
}

}  // namespace tulle::geometry
