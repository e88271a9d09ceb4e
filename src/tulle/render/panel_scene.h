// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/drawn_collider.h"
#include "tulle/render/ground.h"
#include "tulle/render/renderer.h"
#include "tulle/render/tracer.h"

#include <optional>
#include <vector>

namespace tulle::render {

// Turns points so that z is up.
Positions upright(const Positions& positions, UpAxis up);
Vector3 upright(const Vector3& point, UpAxis up);

// Numbers of rays for both qualities.
struct SceneQuality {
    TracerQuality tracer = {};
    GroundQuality ground = {};
    int cloth_sky_rays = 128;  // from each vertex; fewer if there are very many vertices
    int collider_sky_rays = 64;
};
SceneQuality scene_quality(Quality quality);

// What is the same in all panels.
struct Stage {
    Camera camera;
    Light light;
    std::optional<Ground::Placement> ground = {};
    std::vector<std::vector<bool>> is_floor = {};  // of each panel's colliders: drawn as ground, not as itself
    double heat_maximum = 1;                       // strain [1] or speed [m/s] at the end of the colour scale
    double extent = 1;                             // [m] diagonal of the whole motion
};

// One panel: the surfaces that are moved and traced for each frame.
class PanelScene {
public:
    PanelScene(const Panel& panel, const std::vector<bool>& is_floor, const Stage& stage,
               const RenderSettings& settings);

    void draw(const PanelFrame& frame, const Stage& stage, const Viewport& viewport, Image& image);

private:
    void move(const PanelFrame& frame);
    VectorX colored_values(const PanelFrame& frame) const;  // |V|, in the unit of the colour scale
    void color(const PanelFrame& frame, double heat_maximum);

    const Panel& panel_;
    RenderSettings settings_;
    SceneQuality quality_;
    EdgeStrain strain_;
    HeatMap heat_map_;
    Fabric fabric_;
    std::vector<size_t> collider_indices_;  // of the panel's colliders that are drawn
    std::vector<DrawnCollider> colliders_;
    std::vector<Surface> surfaces_;  // the cloth, then the colliders
    RayCaster caster_;
    std::optional<Ground> ground_;
};

}  // namespace tulle::render
