// SPDX-License-Identifier: Apache-2.0
#include "tests/collision/fixtures.h"

#include <cmath>
#include <numbers>

namespace tulle::collision {

SpringSheet::SpringSheet(const geometry::TriangleMesh& cloth, double mass)
    : mesh(cloth),
      positions(cloth.positions),
      velocities(Velocities::Zero(cloth.positions.rows(), 3)),
      inverse_masses(VectorX::Constant(cloth.positions.rows(), 1 / mass)),
      edges(geometry::mesh_edges(cloth).edges),
      rest_lengths(edges.rows()) {
    for (long e = 0; e < edges.rows(); ++e)
        rest_lengths(e) = (positions.row(edges(e, 0)) - positions.row(edges(e, 1))).norm();
}

ContactReport SpringSheet::fly(ContactPass& pass, double dt) {
    for (long v = 0; v < positions.rows(); ++v)
        if (inverse_masses(v) > 0) velocities.row(v) += dt * gravity;
    const Positions start = positions;
    positions += dt * velocities;
    ContactReport report = pass.apply({start, positions, velocities, time, dt});
    time += dt;
    return report;
}

ContactReport SpringSheet::step(ContactPass& pass, double dt) {
    Forces forces = Forces::Zero(positions.rows(), 3);
    for (long e = 0; e < edges.rows(); ++e) {
        const int a = edges(e, 0), b = edges(e, 1);
        const Eigen::RowVector3d along = positions.row(b) - positions.row(a);
        const double length = along.norm();
        const double speed = (velocities.row(b) - velocities.row(a)).dot(along) / length;
        const Eigen::RowVector3d pull = (stiffness * (length - rest_lengths(e)) + damping * speed) / length * along;
        forces.row(a) += pull;
        forces.row(b) -= pull;
    }
    for (long v = 0; v < positions.rows(); ++v) velocities.row(v) += dt * inverse_masses(v) * forces.row(v);
    return fly(pass, dt);
}

Vector3 SpringSheet::momentum() const {
    Vector3 sum = Vector3::Zero();
    for (long v = 0; v < positions.rows(); ++v)
        if (inverse_masses(v) > 0) sum += velocities.row(v) / inverse_masses(v);
    return sum;
}

geometry::TriangleMesh flat_sheet(int rows, int columns, double spacing, const Vector3& origin) {
    return geometry::make_grid_cloth({rows, columns}, {.origin = origin,
                                                       .along_columns = Vector3::UnitX(),
                                                       .along_rows = Vector3::UnitY(),
                                                       .width = spacing * (columns - 1),
                                                       .height = spacing * (rows - 1)})
        .mesh;
}

geometry::TriangleMesh both(const geometry::TriangleMesh& a, const geometry::TriangleMesh& b) {
    geometry::TriangleMesh mesh;
    mesh.positions.resize(a.positions.rows() + b.positions.rows(), 3);
    mesh.positions << a.positions, b.positions;
    mesh.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
    mesh.triangles << a.triangles, b.triangles.array() + a.vertex_count();
    return mesh;
}

SpringSheet folded_strip() {
    constexpr int columns = 41;
    constexpr double spacing = 0.02, radius = 0.03;
    SpringSheet strip(flat_sheet(6, columns, spacing, Vector3::Zero()));
    const double half = spacing * (columns - 1) / 2 - radius * std::numbers::pi / 2;
    for (long v = 0; v < strip.positions.rows(); ++v) {
        const double s = strip.mesh.positions(v, 0);
        const double angle = std::clamp((s - half) / radius, 0.0, std::numbers::pi);
        const double beyond = std::max(0.0, s - half - radius * std::numbers::pi);
        strip.positions(v, 0) = std::min(s, half) + radius * std::sin(angle) - beyond;
        strip.positions(v, 2) = radius * (1 - std::cos(angle));
    }
    return strip;
}

SpringSheet crumpling_sheet(int size, double speed, std::uint64_t seed) {
    SpringSheet sheet(flat_sheet(size, size, 0.02, Vector3::Zero()));
    const Eigen::RowVector3d center = sheet.positions.colwise().mean();
    Random random(seed);
    for (long v = 0; v < sheet.positions.rows(); ++v) {
        const Eigen::RowVector3d inward = center - sheet.positions.row(v);
        sheet.velocities.row(v) = 8 * inward + random_point(random, speed).transpose();
    }
    return sheet;
}

}  // namespace tulle::collision
