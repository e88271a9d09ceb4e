// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/shading.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

const Color collider_albedo(0.50f, 0.49f, 0.47f);
constexpr float translucency = 0.22f;  // part of the sunlight that comes through the cloth

template <typename Value>
Value interpolate(const std::array<const Value*, 3>& corners, const std::array<float, 3>& weights) {
    return weights[0] * *corners[0] + weights[1] * *corners[1] + weights[2] * *corners[2];
}

template <typename Value>
Value interpolate(const std::vector<Value>& values, const std::array<int, 3>& triangle,
                  const std::array<float, 3>& weights) {
    return interpolate<Value>({&values[static_cast<size_t>(triangle[0])], &values[static_cast<size_t>(triangle[1])],
                               &values[static_cast<size_t>(triangle[2])]},
                              weights);
}

// Flat triangles would throw polygonal shadows onto themselves where the smooth normal still faces the sun. The ray
// begins on a curved patch through the vertices instead: the point is lifted to the tangent planes at them [Hanika
// 2021].
Point lifted_origin(const Surface& surface, const std::array<int, 3>& triangle, const std::array<float, 3>& weights,
                    const Point& position, const Point& sun_side_normal) {
    Point lifted = position;
    float size = 0;
    for (size_t k = 0; k < 3; ++k) {
        const auto v = static_cast<size_t>(triangle[k]);
        const Point& normal = surface.normals[v];
        const float side = normal.dot(sun_side_normal) > 0 ? 1.0f : -1.0f;
        const Point offset = position - surface.positions[v];
        lifted -= weights[k] * std::min(0.0f, side * offset.dot(normal)) * side * normal;
        size = std::max(size, offset.squaredNorm());
    }
    return lifted + (2e-4f + 0.01f * std::sqrt(size)) * sun_side_normal;
}

// The smooth normal on the side of the triangle that is seen; where it points away from the camera all the same, just
// beside the silhouette, it is turned until it does not.
Point facing_normal(Point normal, bool is_front, const Point& direction) {
    if (!is_front) normal = -normal;
    const float away = normal.dot(direction);
    if (away > -0.02f) normal -= (away + 0.02f) * direction;
    return normal.normalized();
}

}  // namespace

SeenPoint seen_point(const TracedScene& scene, const SurfaceHit& hit) {
    const Surface& surface = *hit.surface;
    const std::array<int, 3>& triangle = surface.triangles[static_cast<size_t>(hit.triangle)];
    const std::array<float, 3> weights = {1 - hit.u - hit.v, hit.u, hit.v};
    const Point& a = surface.positions[static_cast<size_t>(triangle[0])];
    const Point& b = surface.positions[static_cast<size_t>(triangle[1])];
    const Point& c = surface.positions[static_cast<size_t>(triangle[2])];
    const bool is_front = (b - a).cross(c - a).dot(hit.direction) < 0;

    SeenPoint seen;
    seen.surface = hit.surface;
    seen.position = weights[0] * a + weights[1] * b + weights[2] * c;
    seen.normal = facing_normal(interpolate(surface.normals, triangle, weights), is_front, hit.direction);
    const bool faces_sun = seen.normal.dot(scene.light.sun_direction()) > 0;
    seen.shadow_origin =
        lifted_origin(surface, triangle, weights, seen.position, faces_sun ? seen.normal : Point(-seen.normal));
    const size_t side = is_front ? 0 : 1;
    const auto skylight = [&](size_t k) { return &surface.skylight[static_cast<size_t>(triangle[k])][side]; };
    seen.skylight = interpolate<Color>({skylight(0), skylight(1), skylight(2)}, weights);
    seen.has_heat = !surface.heat.empty();
    if (surface.material == Material::Collider)
        seen.albedo = collider_albedo;
    else if (seen.has_heat)
        seen.albedo = scene.heat_map.at(interpolate(surface.heat, triangle, weights));
    else
        seen.albedo = scene.fabric.albedo(interpolate(surface.cloth_coords, triangle, weights), is_front,
                                          hit.distance * scene.camera.pixel_angle());
    return seen;
}

Color shade(const SeenPoint& point, const Point& direction, const Light& light, bool is_sunlit) {
    const float cosine = point.normal.dot(light.sun_direction());
    const bool is_cloth = point.surface->material == Material::Cloth;
    Color sun = Color::Zero();
    if (is_sunlit && cosine > 0) sun = cosine * light.sunlight();
    if (is_sunlit && cosine < 0 && is_cloth)
        sun = -cosine * translucency * light.sunlight() * (0.4f + 0.6f * point.albedo);
    if (point.has_heat) {
        // Light only models the shape here; the colour must stay the one of the scale.
        const float brightness = (sun + point.skylight).mean();
        return point.albedo * (0.55f + 0.45f * std::min(1.2f, brightness));
    }
    Color seen = point.albedo * (sun + point.skylight);
    if (is_cloth) {
        // Fibres that stand off the cloth catch light at its edges.
        const float edge = 1 - std::max(0.0f, -point.normal.dot(direction));
        const float sheen = 0.16f * edge * edge * edge;
        seen += sheen * (point.skylight + 0.25f * sun) * (0.5f + 0.5f * point.albedo);
    }
    return seen;
}

}  // namespace tulle::render
