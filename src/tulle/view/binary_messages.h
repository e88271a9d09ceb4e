// SPDX-License-Identifier: Apache-2.0
// Topologies and frames as bytes; apps/viewer/PROTOCOL.md has the tables.
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/view/client_message.h"

#include <Eigen/Geometry>

#include <cstdint>
#include <string>
#include <vector>

namespace tulle::view {

inline constexpr int collider_panel = 255;
inline constexpr size_t frame_header_size = 80;  // [bytes]
inline constexpr size_t seq_offset = 12;         // of a frame: differs from client to client

struct TopologyMessage {
    int panel = 0;  // or collider_panel
    std::uint32_t topology = 0;
    std::uint32_t collider = 0;
    const geometry::TriangleMesh& mesh;
    bool with_positions = false;
};
std::string encode(const TopologyMessage& message);

struct RigidPose {
    std::uint32_t collider = 0;
    Eigen::Isometry3d to_world = Eigen::Isometry3d::Identity();
};
struct DeformedCollider {
    std::uint32_t collider = 0;
    Positions positions;  // |W|×3 [m]
};
struct ShownGrab {
    std::uint32_t pointer = 0;
    std::uint32_t vertex = 0;          // nearest to what is held
    Vector3 point = Vector3::Zero();   // [m] of the cloth
    Vector3 target = Vector3::Zero();  // [m]
};
struct Scalars {
    ColorMode kind = ColorMode::Fabric;  // none
    VectorX values = {};                 // |V|
    double most = 1;                     // what 255 means; 0 means 0
};

struct FrameMessage {
    int panel = 0;
    bool is_jump = false;  // it does not follow from the one before
    std::uint32_t topology = 0;
    std::uint32_t frame = 0;
    double time = 0;  // [s]
    const Positions& positions;
    Scalars scalars = {};
    std::vector<RigidPose> rigid = {};
    std::vector<ShownGrab> grabs = {};
    std::vector<DeformedCollider> deformed = {};
};
std::string encode(const FrameMessage& message);

// Positions on a grid of 65,535 cells across their box.
struct Quantised {
    Eigen::Vector3f low = Eigen::Vector3f::Zero(), size = Eigen::Vector3f::Zero();  // [m]
    std::vector<std::uint16_t> places;                                              // 3|V|
};
Quantised quantise(const Positions& positions);
Vector3 place_of(const Quantised& quantised, size_t vertex);  // [m]

}  // namespace tulle::view
