// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/camera.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace tulle::render {

inline constexpr int packet_size = 8;  // rays that are traced together

struct RayPacket {
    std::array<Point, packet_size> origins;
    std::array<Point, packet_size> directions;  // unit
    std::array<float, packet_size> lengths;     // [m] how far each ray reaches
    unsigned active = 0;                        // bit i: ray i is to be traced

    void set(int ray, const Point& origin, const Point& direction, float length) {
        const auto i = static_cast<size_t>(ray);
        origins[i] = origin;
        directions[i] = direction;
        lengths[i] = length;
        active |= 1u << ray;
    }
};

struct RayHits {
    std::array<int, packet_size> surfaces;  // index of the surface that was hit; -1: none
    std::array<int, packet_size> triangles;
    std::array<float, packet_size> distances;  // [m]
    std::array<float, packet_size> u, v;       // barycentric weights of the triangle's second and third vertex
};

using SurfaceTriangles = std::vector<std::array<int, 3>>;

// Finds what rays meet, by Embree.
class RayCaster {
public:
    RayCaster();
    ~RayCaster();
    RayCaster(RayCaster&&) noexcept;
    RayCaster& operator=(RayCaster&&) noexcept;

    void add_surface(const SurfaceTriangles& triangles, size_t vertex_count);  // surfaces are numbered in this order
    void move_surface(int surface, const std::vector<Point>& positions);
    void commit();  // makes moves take effect

    RayHits nearest(const RayPacket& rays) const;
    unsigned blocked(const RayPacket& rays) const;  // bit i: ray i meets something

private:
    struct Embree;
    std::unique_ptr<Embree> embree_;
};

}  // namespace tulle::render
