// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/stage.h"

#include "tulle/core/error.h"
#include "tulle/render/overlay.h"

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

constexpr int gap = 2;  // [px] between panels

struct Box {
    Vector3 low;
    Vector3 high;
    Vector3 extent() const { return high - low; }
};

Box box_of(const std::vector<Vector3>& points) {
    Box box{points.front(), points.front()};
    for (const Vector3& point : points) {
        box.low = box.low.cwiseMin(point);
        box.high = box.high.cwiseMax(point);
    }
    return box;
}

std::vector<Vector3> upright_points(const Extremes& extremes, UpAxis up) {
    std::vector<Vector3> points;
    for (const Vector3& point : extremes.points()) points.push_back(upright(point, up));
    return points;
}

// A level sheet under the cloth and wider than it.
bool is_floor(const Box& collider, const Box& cloth) {
    const Vector3 extent = collider.extent();
    return extent.z() < 1e-4 * extent.norm() && extent.x() >= cloth.extent().x() && extent.y() >= cloth.extent().y() &&
           collider.high.z() < cloth.low.z() + 0.1 * cloth.extent().norm();
}

// Everything that is worth seeing: the cloth, and colliders unless they are vast.
std::vector<Vector3> framed_points(const Survey& survey, UpAxis up) {
    std::vector<Vector3> points = upright_points(survey.cloth(), up);
    const Box cloth = box_of(points);
    for (const auto& colliders : survey.colliders())
        for (const Extremes& collider : colliders) {
            const std::vector<Vector3> more = upright_points(collider, up);
            if (collider.diagonal() < 2 * cloth.extent().norm() && !is_floor(box_of(more), cloth))
                points.insert(points.end(), more.begin(), more.end());
        }
    return points;
}

CameraSettings upright_camera(CameraSettings camera, UpAxis up) {
    if (camera.eye) camera.eye = upright(*camera.eye, up);
    if (camera.target) camera.target = upright(*camera.target, up);
    return camera;
}

Subject make_subject(const std::vector<Panel>& panels, const Survey& survey, const RenderSettings& settings,
                     const ImageSize& panel_size) {
    bool has_title = false;
    bool has_subtitle = false;
    for (const Panel& panel : panels) {
        has_title = has_title || !panel.title.empty();
        has_subtitle = has_subtitle || !panel.subtitle.empty();
    }
    Subject subject{.points = framed_points(survey, settings.up), .facing = upright(survey.facing(), settings.up)};
    const auto part_of_half_height = [&](int pixels) { return std::min(0.6, 2.0 * pixels / panel_size.height); };
    if (has_title || has_subtitle) subject.top_margin = part_of_half_height(label_space(panel_size, has_subtitle));
    if (settings.coloring != Coloring::Plain) subject.bottom_margin = part_of_half_height(legend_space(settings.size));
    return subject;
}

ImageSize cell_size(const ImageSize& image, int columns, int rows) {
    return {.width = (image.width - gap * (columns - 1)) / columns, .height = (image.height - gap * (rows - 1)) / rows};
}

// How large one metre in the middle of the motion is drawn [px].
double drawn_scale(const Subject& subject, const RenderSettings& settings, const ImageSize& cell) {
    if (settings.camera.eye) return std::min(cell.width, cell.height);
    const Camera camera = make_camera(upright_camera(settings.camera, settings.up), subject, cell);
    const Box box = box_of(subject.points);
    const double distance = ((box.low + box.high) / 2 - camera.eye().cast<double>()).norm();
    return 1 / (distance * camera.pixel_angle());
}

double ground_height(const Survey& survey, const Box& motion, const RenderSettings& settings) {
    if (settings.ground.height) return *settings.ground.height;
    const Box cloth = box_of(upright_points(survey.cloth(), settings.up));
    for (const auto& colliders : survey.colliders())
        for (const Extremes& collider : colliders) {
            const Box box = box_of(upright_points(collider, settings.up));
            if (is_floor(box, cloth)) return box.low.z() - 1e-3 * motion.extent().norm();
        }
    // What reaches lowest stands on the ground if it is a collider and hangs above it if it is cloth.
    return motion.low.z() < cloth.low.z() - 1e-3 * motion.extent().norm()
               ? motion.low.z()
               : motion.low.z() - 0.06 * motion.extent().norm();
}

// The shadow of the box around the motion, with its soft edge, and the ground around it that sees less sky.
Ground::Placement place_ground(const Box& motion, double height, const Light& light) {
    const Eigen::Vector2f low = motion.low.head<2>().cast<float>();
    const Eigen::Vector2f high = motion.high.head<2>().cast<float>();
    const Point& sun = light.sun_direction();
    const float top = std::max(0.0f, static_cast<float>(motion.high.z() - height));
    const Eigen::Vector2f shift = -top / sun.z() * sun.head<2>();
    const float soft = 0.02f * (high - low).norm() + 2 * top * light.penumbra();
    const float around = 0.35f * static_cast<float>(motion.extent().norm()) + 0.25f * top;
    Ground::Placement placement;
    placement.height = static_cast<float>(height);
    placement.middle = (low + high) / 2;
    placement.radius = 1.1f * static_cast<float>(motion.extent().norm());
    placement.shadow_area = {low.cwiseMin(low + shift).array() - soft, high.cwiseMax(high + shift).array() + soft};
    placement.sky_area = {low.array() - around, high.array() + around};
    return placement;
}

double heat_maximum(const Survey& survey, const RenderSettings& settings) {
    if (settings.scale_maximum && !(*settings.scale_maximum > 0 && std::isfinite(*settings.scale_maximum)))
        throw Error("a colour scale cannot end at {}; give a number above 0", *settings.scale_maximum);
    if (settings.coloring == Coloring::Speed)
        return settings.scale_maximum.value_or(rounded_up(survey.largest_speed()));
    if (settings.coloring == Coloring::Values)
        return settings.scale_maximum.value_or(rounded_up(survey.largest_value()));
    constexpr double papers_scale = 25;  // [%] of the figures in Geng, Johnson and Fedkiw 2020
    if (settings.coloring == Coloring::Stretch) return settings.scale_maximum.value_or(papers_scale) / 100;
    return settings.scale_maximum.value_or(rounded_up(100 * survey.largest_strain())) / 100;
}

}  // namespace

Layout lay_out(const std::vector<Panel>& panels, const Survey& survey, const RenderSettings& settings) {
    Layout best;
    double best_scale = -1;
    const int count = static_cast<int>(panels.size());
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const ImageSize cell = cell_size(settings.size, columns, rows);
        if (cell.width < smallest_side || cell.height < smallest_side) continue;
        Layout layout{.viewports = {}, .subject = make_subject(panels, survey, settings, cell)};
        const double scale = drawn_scale(layout.subject, settings, cell);
        if (scale <= 1.02 * best_scale) continue;  // fewer columns leave fewer cells empty
        for (int p = 0; p < count; ++p)
            layout.viewports.push_back({p % columns * (cell.width + gap), p / columns * (cell.height + gap), cell});
        best_scale = scale;
        best = std::move(layout);
    }
    if (best_scale < 0)
        throw Error("{} panels do not fit into {}×{} pixels", count, settings.size.width, settings.size.height);
    return best;
}

Stage make_stage(const Layout& layout, const Survey& survey, const RenderSettings& settings) {
    const Camera camera =
        make_camera(upright_camera(settings.camera, settings.up), layout.subject, layout.viewports[0].size);
    const Box motion = box_of(layout.subject.points);
    Stage stage{.camera = camera, .light = Light(camera), .ground = {}, .is_floor = {}};
    stage.extent = std::max(1e-6, motion.extent().norm());
    stage.heat_maximum = heat_maximum(survey, settings);
    if (settings.ground.is_drawn)
        stage.ground = place_ground(motion, ground_height(survey, motion, settings), stage.light);
    const Box cloth = box_of(upright_points(survey.cloth(), settings.up));
    for (const auto& colliders : survey.colliders()) {
        stage.is_floor.emplace_back();
        for (const Extremes& collider : colliders)
            stage.is_floor.back().push_back(is_floor(box_of(upright_points(collider, settings.up)), cloth));
    }
    return stage;
}

}  // namespace tulle::render
