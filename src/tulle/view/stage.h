// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/live/joint_glide.h"
#include "tulle/view/panel.h"
#include "tulle/view/parameters.h"

#include <Eigen/Geometry>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::view {

// What is shown: a scene by one or several methods, or caches.
struct StagePlan {
    std::filesystem::path scene;           // empty: caches
    std::vector<std::string> methods;      // one panel each
    ParameterValues values = {};           // but wind and gravity
    std::optional<std::string> clip = {};  // of the body, empty: it stands still; none: the scene's
    std::vector<std::filesystem::path> caches = {};
    bool leaves_out_misfits = false;  // methods that do not fit the scene; if none does, the scene's own is taken
};

struct PanelFacts {
    std::string title, method;
    int vertices = 0, simulated_vertices = 0, triangles = 0;
    std::uint32_t topology = 0;
};

struct BodyFacts {
    std::vector<std::string> clips;  // the empty one: it stands still
    std::string clip;
    std::vector<body::Joint> joints;  // that can be turned
};

// A plan with everything made that takes time. The panels do not run yet.
struct PreparedStage {
    StagePlan plan;
    std::string name, description;
    std::string note;                   // which method was left out, and why
    std::optional<scene::Scene> scene;  // as its file says; none: caches
    std::vector<std::unique_ptr<PanelSource>> sources;
    std::vector<Parameter> parameters;
    std::vector<ColliderOutline> colliders;
    std::vector<PanelFacts> panels;
    std::uint32_t first_collider_topology = 0;  // of the first, then one more each
    std::optional<BodyFacts> body;
    Eigen::AlignedBox3d box;  // around the cloth and the bounded colliders, at the start
    Vector3 up = Vector3::UnitZ();
    double frame_rate = 25;
    long frames = 0;  // recorded ones
    bool has_velocities = true;
    bool tells_bounds = false;  // one of the panels
    bool is_grabbable = false;
};

// Whether its cloths can be coloured so.
bool offers(const PreparedStage& stage, ColorMode color);

// Throws an Error if a scene, a method or a cache cannot be used.
PreparedStage prepare(const StagePlan& plan);

// What a page is told of a stage: `scene` of the protocol, in which a page finds the numbers of the topologies.
std::string scene_text(const PreparedStage& stage, const ParameterValues& values);

}  // namespace tulle::view
