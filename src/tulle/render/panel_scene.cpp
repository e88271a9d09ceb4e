// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/panel_scene.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

// The longer side of the unstretched cloth [m].
double cloth_size(const geometry::TriangleMesh& rest) {
    const std::vector<Eigen::Vector2f> coords = cloth_coords(rest);
    Eigen::Vector2f low = coords.front();
    Eigen::Vector2f high = coords.front();
    for (const Eigen::Vector2f& place : coords) {
        low = low.cwiseMin(place);
        high = high.cwiseMax(place);
    }
    return std::max(1e-6, static_cast<double>((high - low).maxCoeff()));
}

// Rays per vertex that keep their total within what a frame can afford.
int affordable_rays(int wanted, size_t vertex_count) {
    constexpr size_t budget = 3'000'000;
    const auto affordable = static_cast<int>(budget / std::max<size_t>(1, vertex_count));
    return std::max(16, std::min(wanted, affordable) / packet_size * packet_size);
}

}  // namespace

Positions upright(const Positions& positions, UpAxis up) {
    if (up == UpAxis::Z) return positions;
    Positions turned(positions.rows(), 3);
    turned << positions.col(0), -positions.col(2), positions.col(1);
    return turned;
}

Vector3 upright(const Vector3& point, UpAxis up) {
    return up == UpAxis::Z ? point : Vector3(point.x(), -point.z(), point.y());
}

SceneQuality scene_quality(Quality quality) {
    if (quality == Quality::Full) return {};
    return {.tracer = {.first_samples = 1, .samples = 4, .contrast = 0.1f},
            .ground = {.sun_cells = 128, .sun_rays = 16, .sky_cells = 32, .sky_rays = 32},
            .cloth_sky_rays = 32,
            .collider_sky_rays = 16};
}

PanelScene::PanelScene(const Panel& panel, const std::vector<bool>& is_floor, const Stage& stage,
                       const RenderSettings& settings)
    : panel_(panel),
      settings_(settings),
      quality_(scene_quality(settings.quality)),
      strain_(panel.cloth),
      heat_map_(settings.coloring == Coloring::Stretch ? HeatMap::diverging() : HeatMap()),
      fabric_(settings.pattern, cloth_size(panel.cloth)) {
    surfaces_.push_back(make_cloth_surface(panel.cloth));
    for (size_t c = 0; c < panel.colliders.size(); ++c) {
        if (is_floor[c]) continue;
        collider_indices_.push_back(c);
        geometry::TriangleMesh mesh = panel.colliders[c];
        mesh.positions = upright(mesh.positions, settings.up);
        colliders_.emplace_back(mesh, DrawnCollider::Settings{.longest_edge = stage.extent / 60});
        surfaces_.push_back(colliders_.back().make_surface());
        colliders_.back().move(surfaces_.back(), mesh.positions);
    }
    for (const Surface& surface : surfaces_) caster_.add_surface(surface.triangles, surface.positions.size());
    if (stage.ground) ground_.emplace(*stage.ground, quality_.ground);
}

void PanelScene::move(const PanelFrame& frame) {
    move_cloth(surfaces_[0], upright(frame.positions, settings_.up));
    for (size_t c = 0; c < colliders_.size(); ++c)
        colliders_[c].move(surfaces_[c + 1],
                           upright(collider_positions(panel_, frame, collider_indices_[c]), settings_.up));
    for (size_t s = 0; s < surfaces_.size(); ++s) caster_.move_surface(static_cast<int>(s), surfaces_[s].positions);
    caster_.commit();
}

VectorX PanelScene::colored_values(const PanelFrame& frame) const {
    switch (settings_.coloring) {
        case Coloring::Strain:
            return strain_.at_vertices(frame.positions);
        case Coloring::Stretch:
            return strain_.signed_at_vertices(frame.positions);
        case Coloring::Values:
            return frame.values;
        default:
            return speeds(frame.velocities);
    }
}

void PanelScene::color(const PanelFrame& frame, double heat_maximum) {
    if (settings_.coloring == Coloring::Plain) return;
    if (settings_.coloring == Coloring::Speed && frame.velocities.rows() == 0)
        throw Error("panel '{}' has no velocities; it cannot be coloured by speed", panel_.title);
    if (settings_.coloring == Coloring::Values && frame.values.size() != frame.positions.rows())
        throw Error("panel '{}' has {} values for {} vertices; it cannot be coloured by them", panel_.title,
                    frame.values.size(), frame.positions.rows());
    const VectorX values = colored_values(frame) / heat_maximum;
    surfaces_[0].heat.resize(static_cast<size_t>(values.size()));
    for (long v = 0; v < values.size(); ++v) {
        const double place = settings_.coloring == Coloring::Stretch ? (1 + values(v)) / 2 : values(v);
        surfaces_[0].heat[static_cast<size_t>(v)] = static_cast<float>(std::clamp(place, 0.0, 1.0));
    }
}

void PanelScene::draw(const PanelFrame& frame, const Stage& stage, const Viewport& viewport, Image& image) {
    check_frame(panel_, frame);
    move(frame);
    color(frame, stage.heat_maximum);
    for (Surface& surface : surfaces_) {
        if (settings_.wants_stop && settings_.wants_stop()) throw Stopped();
        const int wanted = surface.material == Material::Cloth ? quality_.cloth_sky_rays : quality_.collider_sky_rays;
        gather_skylight(surface, caster_, affordable_rays(wanted, surface.positions.size()));
    }
    if (ground_) ground_->gather_light(caster_, stage.light);
    const TracedScene scene{.camera = stage.camera,
                            .light = stage.light,
                            .caster = caster_,
                            .surfaces = surfaces_,
                            .ground = ground_ ? &*ground_ : nullptr,
                            .fabric = fabric_,
                            .heat_map = heat_map_};
    trace(scene, quality_.tracer, viewport, image, settings_.wants_stop);
}

}  // namespace tulle::render
