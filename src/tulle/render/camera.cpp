// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/camera.h"

#include "tulle/core/error.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace tulle::render {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr double side_margin = 0.08;  // part of the picture's half width that stays free

struct Axes {
    Vector3 right, up, forward;
};

Axes axes_along(const Vector3& forward) {
    const bool is_vertical = std::abs(forward.z()) > 0.9999;
    const Vector3 right = forward.cross(is_vertical ? Vector3::UnitY() : Vector3::UnitZ()).normalized();
    return {.right = right, .up = right.cross(forward), .forward = forward};
}

// From the side on which the cloth shows its broad front; a level cloth is looked at from the front (−y) and from
// higher up.
Vector3 automatic_direction(const CameraSettings& settings, const Vector3& facing) {
    const Vector3 level(facing.x(), facing.y(), 0);
    const bool is_hanging = level.norm() > 0.35;
    const Vector3 front = is_hanging ? level.normalized() : Vector3(-Vector3::UnitY());
    const double elevation = degree * settings.elevation.value_or(is_hanging ? 9.0 : 22.0);
    const Vector3 towards_camera = Eigen::AngleAxisd(-degree * settings.azimuth, Vector3::UnitZ()) * front;
    return -(std::cos(elevation) * towards_camera + std::sin(elevation) * Vector3::UnitZ());
}

// The borders of the picture that points must stay within, as tangents of angles from the camera's axis.
struct Borders {
    double side, top, bottom;
};

// The nearest eye from which all points lie within the borders. With coordinates (a, c) along an axis and forward, a
// point is inside the upper border if a − e_a ≤ t (c − e_c) and inside the lower one if e_a − a ≤ s (c − e_c). Both
// bound e_c from above; what room is left for e_a then is shared.
Vector3 fitting_eye(const std::vector<Vector3>& points, const Axes& axes, const Borders& borders) {
    struct Room {
        double upper, lower, t, s;
        double farthest() const { return (upper + lower) / (t + s); }
        double middle(double c) const { return ((t * c - upper) + (lower - s * c)) / 2; }
    };
    const auto room_along = [&](const Vector3& axis, double t, double s) {
        Room room{std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), t, s};
        for (const Vector3& point : points) {
            room.upper = std::min(room.upper, t * point.dot(axes.forward) - point.dot(axis));
            room.lower = std::min(room.lower, s * point.dot(axes.forward) + point.dot(axis));
        }
        return room;
    };
    const Room across = room_along(axes.right, borders.side, borders.side);
    const Room upright = room_along(axes.up, borders.top, borders.bottom);
    constexpr double least_distance = 1e-3;  // [m] even a single point is seen from somewhere
    const double c = std::min(across.farthest(), upright.farthest()) - least_distance;
    return across.middle(c) * axes.right + upright.middle(c) * axes.up + c * axes.forward;
}

Vector3 middle(const std::vector<Vector3>& points) {
    Vector3 low = points.front();
    Vector3 high = points.front();
    for (const Vector3& point : points) {
        low = low.cwiseMin(point);
        high = high.cwiseMax(point);
    }
    return (low + high) / 2;
}

}  // namespace

Camera::Camera(const Pose& pose, const ImageSize& size) : size_(size) {
    const Axes axes = axes_along(pose.forward);
    eye_ = pose.eye.cast<float>();
    forward_ = axes.forward.cast<float>();
    right_ = axes.right.cast<float>();
    up_ = axes.up.cast<float>();
    tangent_y_ = static_cast<float>(std::tan(degree * pose.field_of_view / 2));
    tangent_x_ = tangent_y_ * static_cast<float>(size.width) / static_cast<float>(size.height);
}

std::optional<Eigen::Vector2f> Camera::project(const Point& point) const {
    const Point offset = point - eye_;
    const float depth = offset.dot(forward_);
    if (depth < 1e-6f) return std::nullopt;
    return Eigen::Vector2f((offset.dot(right_) / (depth * tangent_x_) + 1) / 2 * static_cast<float>(size_.width),
                           (1 - offset.dot(up_) / (depth * tangent_y_)) / 2 * static_cast<float>(size_.height));
}

Camera make_camera(const CameraSettings& settings, const Subject& subject, const ImageSize& size) {
    if (!(settings.field_of_view >= 1 && settings.field_of_view <= 150))
        throw Error("a camera cannot have a field of view of {} degrees; give 1 to 150", settings.field_of_view);
    const auto is_finite = [](const std::optional<Vector3>& point) { return !point || point->allFinite(); };
    if (!is_finite(settings.eye) || !is_finite(settings.target))
        throw Error("the camera's eye and target must be finite points");
    const auto is_near = [](const std::optional<Vector3>& point) { return !point || point->norm() <= farthest_drawn; };
    if (!is_near(settings.eye) || !is_near(settings.target))
        throw Error("the camera's eye and target must be within {:g} m of the origin", farthest_drawn);
    const Vector3 target = settings.target.value_or(middle(subject.points));
    if (settings.eye) {
        const Vector3 forward = target - *settings.eye;
        if (!(forward.norm() > 1e-9)) throw Error("the camera's eye is where it looks; move the eye or the target");
        return Camera({*settings.eye, forward.normalized(), settings.field_of_view}, size);
    }
    const Axes axes = axes_along(automatic_direction(settings, subject.facing).normalized());
    const double tangent = std::tan(degree * settings.field_of_view / 2);
    Vector3 eye = fitting_eye(subject.points, axes,
                              {.side = (1 - side_margin) * tangent * size.width / size.height,
                               .top = (1 - subject.top_margin) * tangent,
                               .bottom = (1 - subject.bottom_margin) * tangent});
    if (settings.target) eye = target - std::max(0.01, (target - eye).dot(axes.forward)) * axes.forward;
    return Camera({eye, axes.forward, settings.field_of_view}, size);
}

}  // namespace tulle::render
