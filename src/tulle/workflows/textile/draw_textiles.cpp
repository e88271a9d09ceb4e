// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/renderer.h"
#include "tulle/workflows/textile/textile.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace tulle::workflows {

namespace {

// The lower plate, or the platform: a closed prism below a level outline, just under the cloth.
geometry::TriangleMesh prism(const std::vector<Eigen::Vector2d>& outline, double top, double height) {
    const int n = static_cast<int>(outline.size());
    geometry::TriangleMesh mesh;
    mesh.positions.resize(2 * n + 2, 3);
    mesh.triangles.resize(4 * n, 3);
    Eigen::Vector2d middle = Eigen::Vector2d::Zero();
    for (const Eigen::Vector2d& corner : outline) middle += corner / n;
    mesh.positions.row(2 * n) << middle.x(), middle.y(), top;
    mesh.positions.row(2 * n + 1) << middle.x(), middle.y(), top - height;
    for (int i = 0; i < n; ++i) {
        const Eigen::Vector2d& corner = outline[static_cast<size_t>(i)];
        const int j = (i + 1) % n;
        mesh.positions.row(i) << corner.x(), corner.y(), top;
        mesh.positions.row(n + i) << corner.x(), corner.y(), top - height;
        mesh.triangles.row(4 * i) << 2 * n, i, j;
        mesh.triangles.row(4 * i + 1) << 2 * n + 1, n + j, n + i;
        mesh.triangles.row(4 * i + 2) << i, n + i, n + j;
        mesh.triangles.row(4 * i + 3) << i, n + j, j;
    }
    return mesh;
}

geometry::TriangleMesh plate(double radius) {
    std::vector<Eigen::Vector2d> circle;
    for (int i = 0; i < 96; ++i) {
        const double angle = 2 * std::numbers::pi * i / 96;
        circle.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
    }
    return prism(circle, -0.001, 0.08);
}

void draw(const std::vector<render::Panel>& panels, const std::vector<render::PanelFrame>& frames,
          const render::CameraSettings& camera, const std::filesystem::path& file) {
    render::Survey survey(panels);
    survey.add(frames);
    render::Renderer renderer(panels, survey,
                              {.size = {480 * static_cast<int>(panels.size()), 480},
                               .pattern = render::Pattern::Weave,
                               .camera = camera,
                               .ground = {.is_drawn = true, .height = -0.081}});
    write_png(renderer.draw(frames), file);
}

}  // namespace

void draw_textiles(const TextileReport& report, const std::filesystem::path& folder) {
    std::vector<render::Panel> discs, strips;
    std::vector<render::PanelFrame> draped, bent;
    for (const FabricReport& fabric : report.fabrics) {
        const DrapeResult& drape = fabric.drapes.back();
        discs.push_back({.title = fabric.preset.name,
                         .subtitle = fmt::format("drape coefficient {:.0f} %", 100 * drape.coefficient),
                         .cloth = drape.rest,
                         .colliders = {plate(DiscShape{}.clamp_radius - 0.002)}});
        draped.push_back({.positions = drape.draped});
        const CantileverResult& strip = fabric.cantilever;
        strips.push_back({.title = fabric.preset.name,
                          .subtitle = fmt::format("bending length {:.1f} cm", 100 * strip.bending_length),
                          .cloth = strip.rest,
                          .colliders = {prism({{-0.05, -0.02}, {0, -0.02}, {0, 0.02}, {-0.05, 0.02}}, -0.001, 0.08)}});
        bent.push_back({.positions = strip.bent});
    }
    draw(discs, draped, {.azimuth = 0, .elevation = 89}, folder / "drape.png");
    draw(discs, draped, {.azimuth = 20, .elevation = 25}, folder / "drape-side.png");
    draw(strips, bent, {.eye = Vector3(0.02, -0.25, 0.01), .target = Vector3(0.008, 0, -0.022)},
         folder / "cantilever.png");
}

}  // namespace tulle::workflows
