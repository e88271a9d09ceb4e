// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/surface.h"

#include "tulle/core/parallel.h"
#include "tulle/render/sampling.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

// Mean length of a unit of each texture coordinate [m], by least squares over the edges: |Δx|² ≈ (Δu·a)² + (Δv·b)².
Eigen::Vector2d unit_lengths(const geometry::TriangleMesh& rest) {
    Eigen::Matrix2d matrix = 1e-12 * Eigen::Matrix2d::Identity();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    for (long t = 0; t < rest.triangles.rows(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const int i = rest.triangles(t, k);
            const int j = rest.triangles(t, (k + 1) % 3);
            const Eigen::Vector2d squares = (rest.tex_coords.row(i) - rest.tex_coords.row(j)).array().square();
            // Each edge is normalised by its own size, so that the large ones do not speak for all.
            const double weight = 1 / std::max(squares.squaredNorm(), 1e-24);
            matrix += weight * squares * squares.transpose();
            right += weight * squares * (rest.positions.row(i) - rest.positions.row(j)).squaredNorm();
        }
    }
    return matrix.ldlt().solve(right).cwiseMax(1e-12).cwiseSqrt();
}

// Half the light of each vertex comes from its neighbours: that hides the steps which few rays leave.
void smooth_skylight(Surface& surface) {
    std::vector<std::array<Color, 2>> sums(surface.positions.size(), {Color::Zero(), Color::Zero()});
    std::vector<float> counts(surface.positions.size(), 0);
    for (const auto& triangle : surface.triangles)
        for (size_t k = 0; k < 3; ++k) {
            const auto vertex = static_cast<size_t>(triangle[k]);
            for (const size_t other : {(k + 1) % 3, (k + 2) % 3})
                for (size_t side = 0; side < 2; ++side)
                    sums[vertex][side] += surface.skylight[static_cast<size_t>(triangle[other])][side];
            counts[vertex] += 2;
        }
    for (size_t v = 0; v < sums.size(); ++v)
        for (size_t side = 0; side < 2 && counts[v] > 0; ++side)
            surface.skylight[v][side] = 0.5f * (surface.skylight[v][side] + sums[v][side] / counts[v]);
}

// The skylight on both sides of a vertex. A direction serves the side that faces it.
std::array<Color, 2> skylight_at(const Point& position, const Point& normal, const RayCaster& caster,
                                 const std::vector<Point>& directions, float offset) {
    constexpr float grazing = 0.04f;  // flatter rays would meet the neighbouring triangles
    std::array<Color, 2> light = {Color::Zero(), Color::Zero()};
    std::array<float, 2> weight = {0, 0};
    for (size_t first = 0; first < directions.size(); first += packet_size) {
        RayPacket rays;
        const int count = static_cast<int>(std::min<size_t>(packet_size, directions.size() - first));
        for (int i = 0; i < count; ++i) {
            const Point& direction = directions[first + static_cast<size_t>(i)];
            const float cosine = normal.dot(direction);
            if (std::abs(cosine) < grazing) continue;
            rays.set(i, position + (cosine > 0 ? offset : -offset) * normal, direction, 1e6f);
        }
        const unsigned blocked = caster.blocked(rays);
        for (int i = 0; i < count; ++i) {
            if (!((rays.active >> i) & 1u)) continue;
            const Point& direction = directions[first + static_cast<size_t>(i)];
            const float cosine = normal.dot(direction);
            const size_t side = cosine > 0 ? 0 : 1;
            light[side] += std::abs(cosine) * ((blocked >> i) & 1u ? Light::reflected() : Light::sky(direction));
            weight[side] += std::abs(cosine);
        }
    }
    for (size_t side = 0; side < 2; ++side) light[side] /= std::max(weight[side], 1e-6f);
    return light;
}

float mean_edge_length(const Surface& surface) {
    double sum = 0;
    for (const auto& triangle : surface.triangles)
        sum +=
            (surface.positions[static_cast<size_t>(triangle[0])] - surface.positions[static_cast<size_t>(triangle[1])])
                .norm();
    return static_cast<float>(sum / static_cast<double>(std::max<size_t>(1, surface.triangles.size())));
}

}  // namespace

std::vector<Eigen::Vector2f> cloth_coords(const geometry::TriangleMesh& rest) {
    TexCoords coords = rest.tex_coords;
    if (coords.rows() != 0) {
        const Eigen::Vector2d lengths = unit_lengths(rest);
        coords.col(0) *= lengths[0];
        coords.col(1) *= lengths[1];
    } else {
        const Vector3 extent = rest.positions.colwise().maxCoeff() - rest.positions.colwise().minCoeff();
        int shortest = 0;
        extent.minCoeff(&shortest);
        coords.resize(rest.positions.rows(), 2);
        coords.col(0) = rest.positions.col((shortest + 1) % 3);
        coords.col(1) = rest.positions.col((shortest + 2) % 3);
    }
    std::vector<Eigen::Vector2f> result;
    for (long v = 0; v < coords.rows(); ++v) result.emplace_back(coords.row(v).cast<float>().transpose());
    return result;
}

Surface make_cloth_surface(const geometry::TriangleMesh& rest) {
    Surface surface{.material = Material::Cloth, .cloth_coords = cloth_coords(rest)};
    for (long t = 0; t < rest.triangles.rows(); ++t)
        surface.triangles.push_back({rest.triangles(t, 0), rest.triangles(t, 1), rest.triangles(t, 2)});
    move_cloth(surface, rest.positions);
    return surface;
}

void move_cloth(Surface& surface, const Positions& positions) {
    const auto count = static_cast<size_t>(positions.rows());
    surface.positions.resize(count);
    surface.normals.assign(count, Point::Zero());
    for (size_t v = 0; v < count; ++v)
        surface.positions[v] = positions.row(static_cast<long>(v)).cast<float>().transpose();
    for (const auto& triangle : surface.triangles) {
        const Point& origin = surface.positions[static_cast<size_t>(triangle[0])];
        const Point area = (surface.positions[static_cast<size_t>(triangle[1])] - origin)
                               .cross(surface.positions[static_cast<size_t>(triangle[2])] - origin);
        for (const int v : triangle) surface.normals[static_cast<size_t>(v)] += area;
    }
    for (Point& normal : surface.normals) {
        const float length = normal.norm();
        normal = length > 1e-20f ? Point(normal / length) : Point(Point::UnitZ());  // a crumpled vertex has no normal
    }
}

void gather_skylight(Surface& surface, const RayCaster& caster, int ray_count) {
    const std::vector<Point> directions = sphere_directions(ray_count);
    const float offset = 0.02f * mean_edge_length(surface);
    surface.skylight.resize(surface.positions.size());
    parallel_for(static_cast<long>(surface.positions.size()), [&](long i) {
        const auto v = static_cast<size_t>(i);
        surface.skylight[v] = skylight_at(surface.positions[v], surface.normals[v], caster, directions, offset);
    });
    smooth_skylight(surface);
}

}  // namespace tulle::render
