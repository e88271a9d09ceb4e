// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/render/image.h"

#include <cmath>
#include <optional>
#include <vector>

namespace tulle::render {

using Point = Eigen::Vector3f;  // [m], z up

// Rays are traced in single precision, which cannot tell points apart farther out.
inline constexpr double farthest_drawn = 1e6;  // [m] from the origin

// Without an eye the camera chooses a place from which the whole motion fills the picture.
struct CameraSettings {
    std::optional<Vector3> eye = {};     // [m]
    std::optional<Vector3> target = {};  // [m] what is in the middle; without it the middle of the motion
    double field_of_view = 28;           // [deg] of the picture's height
    double azimuth = 22;                 // [deg] how far an automatic camera stands beside the cloth's front
    std::optional<double> elevation =
        {};  // [deg] how far an automatic camera looks down; without it, as the cloth lies
};

// A pinhole. Pixel (x, y) covers [x, x+1)×[y, y+1) with y down.
class Camera {
public:
    struct Pose {
        Vector3 eye;
        Vector3 forward;       // unit
        double field_of_view;  // [deg] of the height
    };
    Camera(const Pose& pose, const ImageSize& size);

    const Point& eye() const { return eye_; }
    const Point& forward() const { return forward_; }
    const Point& right() const { return right_; }
    // Unit, through a place in the picture [px].
    Point direction(float x, float y) const {
        const float a = (2 * x / static_cast<float>(size_.width) - 1) * tangent_x_;
        const float b = (1 - 2 * y / static_cast<float>(size_.height)) * tangent_y_;
        return (forward_ + a * right_ + b * up_) / std::sqrt(1 + a * a + b * b);
    }
    std::optional<Eigen::Vector2f> project(const Point&) const;  // [px]; none behind the camera
    float pixel_angle() const { return 2 * tangent_y_ / static_cast<float>(size_.height); }  // [rad] in the middle

private:
    ImageSize size_;
    Point eye_;
    Point forward_;
    Point right_;
    Point up_;
    float tangent_x_;
    float tangent_y_;
};

// What an automatic camera must show.
struct Subject {
    std::vector<Vector3> points = {};  // [m], z up: their convex hull fills the picture
    Vector3 facing = Vector3::Zero();  // mean normal of the cloth, not unit: short if it faces many ways
    double top_margin = 0.10;          // parts of the picture's half height that an automatic camera keeps free
    double bottom_margin = 0.10;
};

// Throws an Error if the settings cannot be a camera.
Camera make_camera(const CameraSettings& settings, const Subject& subject, const ImageSize& size);

}  // namespace tulle::render
