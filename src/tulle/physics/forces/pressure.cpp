// SPDX-License-Identifier: Apache-2.0
#include "tulle/physics/forces/pressure.h"

#include "tulle/core/parallel.h"
#include "tulle/physics/stencil.h"

#include <Eigen/Geometry>

#include <array>

namespace tulle::physics {

Pressure::Pressure(const ClothModel& model, double pressure)
    : pressure_(pressure),
      triangles_(model.mesh.triangles),
      triangles_around_(model.mesh.triangles, model.vertex_count()),
      grid_(has_holes(model) ? std::nullopt : model.grid) {}

Vector3 Pressure::area_around(const Positions& positions, int vertex) const {
    Vector3 sum = Vector3::Zero();
    for (const auto& [triangle, corner] : triangles_around_.around(vertex)) {
        const Vector3 a = positions.row(triangles_(triangle, 0));
        const Vector3 b = positions.row(triangles_(triangle, 1));
        const Vector3 c = positions.row(triangles_(triangle, 2));
        sum += (b - a).cross(c - a) / 6;
    }
    return sum;
}

Vector3 Pressure::grid_area_around(const Positions& positions, int vertex) const {
    //      N         The pairs (N, W), (W, S), (S, E), (E, N) turn the same way as the triangles do,
    //   W  ·  E      so the sum points along the cloth's normal.
    //      S
    const int row = vertex / grid_->columns;
    const int column = vertex % grid_->columns;
    constexpr std::array<std::array<int, 2>, 4> around = {{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}};
    Vector3 sum = Vector3::Zero();
    const Vector3 center = positions.row(vertex);
    for (size_t i = 0; i < 4; ++i) {
        const auto [r1, c1] = around[i];
        const auto [r2, c2] = around[(i + 1) % 4];
        const auto inside = [&](int r, int c) { return r >= 0 && r < grid_->rows && c >= 0 && c < grid_->columns; };
        if (!inside(row + r1, column + c1) || !inside(row + r2, column + c2)) continue;
        const Vector3 first = positions.row(grid_->index(row + r1, column + c1)).transpose() - center;
        const Vector3 second = positions.row(grid_->index(row + r2, column + c2)).transpose() - center;
        sum += first.cross(second) / 4;
    }
    return sum;
}

void Pressure::add_to(Forces& forces, const ClothState& state) const {
    parallel_for(forces.rows(), [&](long v) {
        const int vertex = static_cast<int>(v);
        forces.row(v) +=
            pressure_ * (grid_ ? grid_area_around(state.positions, vertex) : area_around(state.positions, vertex));
    });
}

}  // namespace tulle::physics
