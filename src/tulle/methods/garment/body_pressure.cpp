// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/body_pressure.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>

namespace tulle::methods {

namespace {

constexpr double as_near = 1e-4;  // [m] a vertex that moved less still has the same plane of the body before it
constexpr double steepest = 14;   // softnesses from where on a wall is straight

Vector3 face_normal(const collision::MeshSearch& search, int triangle) {
    const auto x = [&](int k) { return Vector3(search.positions().row(search.topology().triangles(triangle, k))); };
    return (x(1) - x(0)).cross(x(2) - x(0)).stableNormalized();
}

}  // namespace

double SoftWall::force(double depth) const {
    if (depth <= 0) return 0;
    const double p = depth / softness, curved = std::min(p, steepest);
    return weight * (std::exp(curved) * (1 + p - curved) - 1);
}

double SoftWall::stiffness(double depth) const {
    return depth <= 0 ? 0 : weight / softness * std::exp(std::min(depth / softness, steepest));
}

BodyPressure::BodyPressure(const collision::ClosedTopology& topology, const VectorX& weights,
                           const BodyPressureSettings& settings)
    : topology_(topology), weights_(weights), settings_(settings), touches_(static_cast<size_t>(weights.size())) {}

Positions BodyPressure::move_body(const Positions& garment, const Positions& body) {
    const bool is_first = !search_;
    auto next = std::make_unique<collision::MeshSearch>(topology_, body);
    Positions carried = Positions::Zero(garment.rows(), 3);
    if (!is_first)
        parallel_for(garment.rows(), [&](long v) {
            const collision::SurfacePlace& place = touches_[static_cast<size_t>(v)].nearest;
            carried.row(v) = (next->at(place) - search_->at(place)).transpose();
        });
    search_ = std::move(next);
    for (Touch& touch : touches_) touch.seen_from.reset();
    if (is_first) look(garment);
    return carried;
}

void BodyPressure::look(const Positions& garment) {
    parallel_for(garment.rows(), [&](long v) {
        Touch& touch = touches_[static_cast<size_t>(v)];
        const Vector3 point = garment.row(v);
        if (!touch.seen_from || (point - *touch.seen_from).norm() > touch.free_way) find_plane(point, touch);
        const bool touched = touch.touches;
        touch.touches = depth(touch, point) > 0;
        if (touch.touches && !touched) touch.caught = touch.nearest;
        if (touch.touches) drag(static_cast<int>(v), point, touch);
    });
}

void BodyPressure::find_plane(const Vector3& point, Touch& touch) const {
    touch.nearest = search_->nearest(point);
    touch.foot = search_->at(touch.nearest);
    const Vector3 way = point - touch.foot, outward = face_normal(*search_, touch.nearest.triangle);
    const double length = way.norm();
    constexpr double on_surface = 1e-6;  // [m] nearer, the way has no direction
    const double sign = way.dot(outward) < 0 ? -1 : 1;
    touch.normal = length > on_surface ? Vector3(sign / length * way) : outward;
    touch.seen_from = point;
    touch.free_way = std::max(as_near, sign * length - settings_.distance);
}

double BodyPressure::depth(const Touch& touch, const Vector3& point) const {
    return settings_.distance - touch.normal.dot(point - touch.foot);
}

SoftWall BodyPressure::wall(int vertex) const { return {weights_(vertex), settings_.softness}; }

// The place where a vertex is held follows it as closely as friction can be overcome.
void BodyPressure::drag(int vertex, const Vector3& point, Touch& touch) const {
    touch.anchor = search_->at(touch.caught);
    Vector3 slipped = point - touch.anchor;
    slipped -= touch.normal.dot(slipped) * touch.normal;
    const double length = slipped.norm();
    if (length <= settings_.slip || wall(vertex).force(depth(touch, point)) <= 0) return;
    touch.caught = search_->nearest(touch.anchor + (1 - settings_.slip / length) * slipped);
    touch.anchor = search_->at(touch.caught);
}

Push BodyPressure::push(int vertex, const Positions& garment) const {
    const Touch& touch = touches_[static_cast<size_t>(vertex)];
    const Vector3 point = garment.row(vertex);
    const double deep = touch.touches ? depth(touch, point) : 0;
    if (deep <= 0) return {};
    const double pressure = wall(vertex).force(deep);
    const Matrix3 along = touch.normal * touch.normal.transpose(), across = Matrix3::Identity() - along;
    const double holds = settings_.friction * pressure / settings_.slip;  // [N/m]
    return {.force = pressure * touch.normal - holds * across * (point - touch.anchor),
            .stiffness = wall(vertex).stiffness(deep) * along + holds * across};
}

}  // namespace tulle::methods
