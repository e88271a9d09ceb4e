// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/light.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

const Color zenith_light(0.44f, 0.49f, 0.58f);
const Color horizon_light(0.50f, 0.50f, 0.50f);
const Color ground_light(0.34f, 0.32f, 0.30f);

}  // namespace

Light::Light(const Camera& camera) : sunlight_(1.12f, 1.05f, 0.96f) {
    const Point backward = Point(-camera.forward().x(), -camera.forward().y(), 0).normalized();
    const Point left = -camera.right();
    const bool looks_down = !backward.allFinite() || backward.norm() < 0.5f;
    const Point level = (looks_down ? left : Point(0.75f * backward + 0.66f * left)).normalized();
    sun_ = (level + 0.95f * Point::UnitZ()).normalized();
    across_ = sun_.cross(Point::UnitZ()).normalized();
    along_ = across_.cross(sun_);
    horizon_ = Color(0.95f, 0.96f, 0.98f) * ground_albedo() * (sun_.z() * sunlight_ + skylight_on_ground());
}

Color Light::sky(const Point& direction) {
    if (direction.z() < 0) return ground_light;
    return horizon_light + std::sqrt(direction.z()) * (zenith_light - horizon_light);
}

// ∫ sky cos θ dω / π over the upper half, by its closed form: with z = cos θ it is ∫₀¹ 2z (h + √z (t − h)) dz.
Color Light::skylight_on_ground() { return horizon_light + 0.8f * (zenith_light - horizon_light); }

Color Light::reflected() { return {0.13f, 0.125f, 0.12f}; }

Color Light::ground_albedo() { return {0.70f, 0.71f, 0.72f}; }

Color Light::background(const Point& direction) const {
    const float height = std::clamp(direction.z() / 0.5f, 0.0f, 1.0f);
    const Color top(0.42f, 0.50f, 0.60f);
    return horizon_ + height * height * (3 - 2 * height) * (top - horizon_);
}

}  // namespace tulle::render
