// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/body_attachment.h"

#include "tulle/collision/closed_mesh.h"
#include "tulle/core/parallel.h"

#include <Eigen/Geometry>

#include <cassert>

namespace tulle::methods {

namespace {

// Along the first edge, at a right angle to it in the plane, and the normal.
Matrix3 triangle_frame(const Positions& positions, const Triangles& triangles, int triangle) {
    const Vector3 a = positions.row(triangles(triangle, 0)), b = positions.row(triangles(triangle, 1)),
                  c = positions.row(triangles(triangle, 2));
    Matrix3 frame;
    frame.col(0) = (b - a).stableNormalized();
    frame.col(2) = (b - a).cross(c - a).stableNormalized();
    frame.col(1) = frame.col(2).cross(frame.col(0));
    return frame;
}

// In which direction the first pattern coordinate grows on the garment, |V|×3: of the triangles around, by area.
Positions growth_of_u(const Positions& garment, const Triangles& triangles, const Rows<double, 2>& pattern) {
    Positions directions = Positions::Zero(garment.rows(), 3);
    for (const auto& t : triangles.rowwise()) {
        const Vector3 x1 = garment.row(t(1)) - garment.row(t(0)), x2 = garment.row(t(2)) - garment.row(t(0));
        const Eigen::Vector2d p1 = pattern.row(t(1)) - pattern.row(t(0)), p2 = pattern.row(t(2)) - pattern.row(t(0));
        const double area = p1.x() * p2.y() - p1.y() * p2.x();
        // ∂x/∂u of the affine map from the pattern; times the area, which is negative where the pattern lies face down.
        const Vector3 direction = (p2.y() * x1 - p1.y() * x2) * (area < 0 ? -1 : 1);
        for (int k = 0; k < 3; ++k) directions.row(t(k)) += direction;
    }
    return directions;
}

}  // namespace

BodyAttachment::BodyAttachment(const Positions& garment, const Triangles& garment_triangles,
                               const Rows<double, 2>& pattern, const geometry::TriangleMesh& body)
    : body_triangles_(body.triangles), places_(static_cast<size_t>(garment.rows())), u_directions_(garment.rows(), 2) {
    assert(pattern.rows() == garment.rows());
    const collision::ClosedTopology topology(body);
    const collision::MeshSearch search(topology, body.positions);
    const Positions growth = growth_of_u(garment, garment_triangles, pattern);
    parallel_for(garment.rows(), [&](long v) {
        collision::SurfacePlace& place = places_[static_cast<size_t>(v)];
        place = search.nearest(Vector3(garment.row(v)));
        const Matrix3 frame = triangle_frame(body.positions, body_triangles_, place.triangle);
        const Eigen::Vector2d u = frame.leftCols<2>().transpose() * growth.row(v).transpose();
        u_directions_.row(v) = u.norm() > 1e-12 ? Eigen::Vector2d(u.normalized()) : Eigen::Vector2d(1, 0);
    });
}

Positions BodyAttachment::wrapped(const Positions& body) const {
    Positions result(static_cast<long>(places_.size()), 3);
    parallel_for(result.rows(), [&](long v) {
        const collision::SurfacePlace& place = places_[static_cast<size_t>(v)];
        result.row(v).setZero();
        for (int k = 0; k < 3; ++k)
            result.row(v) += place.weights[static_cast<size_t>(k)] * body.row(body_triangles_(place.triangle, k));
    });
    return result;
}

std::vector<Matrix3> BodyAttachment::frames(const Positions& body) const {
    std::vector<Matrix3> result(places_.size());
    parallel_for(static_cast<long>(places_.size()), [&](long v) {
        const Matrix3 own = triangle_frame(body, body_triangles_, places_[static_cast<size_t>(v)].triangle);
        Matrix3& frame = result[static_cast<size_t>(v)];
        frame.col(0) = own.leftCols<2>() * u_directions_.row(v).transpose();
        frame.col(2) = own.col(2);
        frame.col(1) = frame.col(2).cross(frame.col(0));
    });
    return result;
}

Positions BodyAttachment::to_offsets(const Positions& garment, const Positions& body) const {
    Positions offsets = garment - wrapped(body);
    const std::vector<Matrix3> all = frames(body);
    for (long v = 0; v < offsets.rows(); ++v) offsets.row(v) = offsets.row(v) * all[static_cast<size_t>(v)];
    return offsets;
}

Positions BodyAttachment::from_offsets(const Positions& offsets, const Positions& body) const {
    Positions garment = wrapped(body);
    const std::vector<Matrix3> all = frames(body);
    parallel_for(garment.rows(),
                 [&](long v) { garment.row(v) += offsets.row(v) * all[static_cast<size_t>(v)].transpose(); });
    return garment;
}

BodyAttachment attach(const geometry::TriangleMesh& worn, const body::Character& character) {
    const Positions rest = character.posed(character.skeleton.rest_pose());
    return {worn.positions, worn.triangles, worn.tex_coords,
            collision::closed_mesh({rest, character.triangles, TexCoords()})};
}

}  // namespace tulle::methods
