// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/ray_caster.h"

#include "tulle/core/error.h"

#include <embree3/rtcore.h>

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tulle::render {

struct RayCaster::Embree {
    RTCDevice device = nullptr;
    RTCScene scene = nullptr;
    std::vector<RTCGeometry> geometries;
    std::vector<float*> vertices;

    Embree() {
        // One thread builds the tree: its shape, and with it the winner among triangles that a ray meets at the very
        // same distance, must not depend on how many there are.
        device = rtcNewDevice("threads=1");
        if (!device) throw Error("cannot start Embree, which traces rays; is libembree3 installed for this processor?");
        scene = rtcNewScene(device);
        rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
        rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    }
    ~Embree() {
        for (RTCGeometry geometry : geometries) rtcReleaseGeometry(geometry);
        if (scene) rtcReleaseScene(scene);
        if (device) rtcReleaseDevice(device);
    }
    Embree(const Embree&) = delete;
    Embree& operator=(const Embree&) = delete;
};

RayCaster::RayCaster() : embree_(std::make_unique<Embree>()) {}
RayCaster::~RayCaster() = default;
RayCaster::RayCaster(RayCaster&&) noexcept = default;
RayCaster& RayCaster::operator=(RayCaster&&) noexcept = default;

void RayCaster::add_surface(const SurfaceTriangles& triangles, size_t vertex_count) {
    RTCGeometry geometry = rtcNewGeometry(embree_->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    void* indices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned),
                                            triangles.size());
    void* vertices = rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 3 * sizeof(float),
                                             vertex_count);
    if (!indices || !vertices) throw Error("not enough memory to draw {} triangles", triangles.size());
    static_assert(sizeof(triangles[0]) == 3 * sizeof(unsigned));
    std::memcpy(indices, triangles.data(), triangles.size() * sizeof(triangles[0]));
    rtcAttachGeometryByID(embree_->scene, geometry, static_cast<unsigned>(embree_->geometries.size()));
    embree_->geometries.push_back(geometry);
    embree_->vertices.push_back(static_cast<float*>(vertices));
}

void RayCaster::move_surface(int surface, const std::vector<Point>& positions) {
    const auto s = static_cast<size_t>(surface);
    float* place = embree_->vertices[s];
    for (const Point& position : positions) place = std::copy_n(position.data(), 3, place);
    rtcUpdateGeometryBuffer(embree_->geometries[s], RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(embree_->geometries[s]);
}

void RayCaster::commit() { rtcCommitScene(embree_->scene); }

namespace {

// Fills Embree's arrays; returns which rays are valid in its convention (-1: yes).
void fill(const RayPacket& packet, RTCRay8& rays, int* valid) {
    for (int i = 0; i < packet_size; ++i) {
        const bool is_active = (packet.active >> i) & 1u;
        valid[i] = is_active ? -1 : 0;
        if (!is_active) continue;
        const auto k = static_cast<size_t>(i);
        rays.org_x[i] = packet.origins[k].x();
        rays.org_y[i] = packet.origins[k].y();
        rays.org_z[i] = packet.origins[k].z();
        rays.dir_x[i] = packet.directions[k].x();
        rays.dir_y[i] = packet.directions[k].y();
        rays.dir_z[i] = packet.directions[k].z();
        rays.tnear[i] = 0;
        rays.tfar[i] = packet.lengths[k];
        rays.time[i] = 0;
        rays.mask[i] = ~0u;
        rays.id[i] = 0;
        rays.flags[i] = 0;
    }
}

}  // namespace

RayHits RayCaster::nearest(const RayPacket& packet) const {
    alignas(32) int valid[packet_size];
    RTCRayHit8 traced;
    fill(packet, traced.ray, valid);
    for (unsigned& surface : traced.hit.geomID) surface = RTC_INVALID_GEOMETRY_ID;
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    rtcIntersect8(valid, embree_->scene, &context, &traced);
    RayHits hits;
    for (int i = 0; i < packet_size; ++i) {
        const auto k = static_cast<size_t>(i);
        const bool is_hit = valid[i] != 0 && traced.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
        hits.surfaces[k] = is_hit ? static_cast<int>(traced.hit.geomID[i]) : -1;
        hits.triangles[k] = is_hit ? static_cast<int>(traced.hit.primID[i]) : -1;
        hits.distances[k] = is_hit ? traced.ray.tfar[i] : packet.lengths[k];
        hits.u[k] = is_hit ? traced.hit.u[i] : 0;
        hits.v[k] = is_hit ? traced.hit.v[i] : 0;
    }
    return hits;
}

unsigned RayCaster::blocked(const RayPacket& packet) const {
    alignas(32) int valid[packet_size];
    RTCRay8 rays;
    fill(packet, rays, valid);
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    rtcOccluded8(valid, embree_->scene, &context, &rays);
    unsigned result = 0;
    for (int i = 0; i < packet_size; ++i)
        if (valid[i] != 0 && rays.tfar[i] < 0) result |= 1u << i;
    return result;
}

}  // namespace tulle::render
