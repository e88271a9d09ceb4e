// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/renderer.h"

#include "tulle/core/error.h"
#include "tulle/render/overlay.h"
#include "tulle/render/panel_scene.h"
#include "tulle/render/stage.h"

namespace tulle::render {

struct Renderer::Implementation {
    std::vector<Panel> panels;
    RenderSettings settings;
    Layout layout;
    Stage stage;
    std::vector<PanelScene> scenes;
    TextWriter text;
    HeatMap heat_map, diverging_map = HeatMap::diverging();

    Implementation(const std::vector<Panel>& given, const Survey& survey, const RenderSettings& render_settings)
        : panels(given),
          settings(render_settings),
          layout(lay_out(panels, survey, settings)),
          stage(make_stage(layout, survey, settings)) {
        scenes.reserve(panels.size());
        for (size_t p = 0; p < panels.size(); ++p) scenes.emplace_back(panels[p], stage.is_floor[p], stage, settings);
    }
};

Renderer::Renderer(const std::vector<Panel>& panels, const Survey& survey, const RenderSettings& settings) {
    check_image_size(settings.size);
    for (const Panel& panel : panels) check_panel(panel);
    if (survey.frame_count() == 0) throw Error("no frame was surveyed before drawing; there must be at least one");
    if (survey.colliders().size() != panels.size())
        throw Error("{} panels were surveyed but {} are to be drawn", survey.colliders().size(), panels.size());
    implementation_ = std::make_unique<Implementation>(panels, survey, settings);
}

Renderer::~Renderer() = default;

Image Renderer::draw(const std::vector<PanelFrame>& frames) {
    Implementation& self = *implementation_;
    if (frames.size() != self.panels.size())
        throw Error("{} frames were given for {} panels; give one for each", frames.size(), self.panels.size());
    Image image(self.settings.size);
    std::fill(image.bytes.begin(), image.bytes.end(), std::uint8_t{255});
    for (size_t p = 0; p < frames.size(); ++p) {
        self.scenes[p].draw(frames[p], self.stage, self.layout.viewports[p], image);
        draw_label(image, self.text, self.layout.viewports[p], self.panels[p].title, self.panels[p].subtitle);
    }
    if (self.settings.coloring == Coloring::Strain)
        draw_legend(image, self.text, self.heat_map,
                    {.title = "stretch [%]", .maximum = 100 * self.stage.heat_maximum});
    if (self.settings.coloring == Coloring::Stretch)
        draw_legend(image, self.text, self.diverging_map,
                    {.title = "stretch [%]",
                     .maximum = 100 * self.stage.heat_maximum,
                     .minimum = -100 * self.stage.heat_maximum});
    if (self.settings.coloring == Coloring::Speed)
        draw_legend(image, self.text, self.heat_map, {.title = "speed [m/s]", .maximum = self.stage.heat_maximum});
    if (self.settings.coloring == Coloring::Values)
        draw_legend(image, self.text, self.heat_map,
                    {.title = self.settings.value_title, .maximum = self.stage.heat_maximum});
    return image;
}

std::optional<Eigen::Vector2f> Renderer::project(size_t panel, const Vector3& point) const {
    const Viewport& viewport = implementation_->layout.viewports.at(panel);
    const auto place =
        implementation_->stage.camera.project(upright(point, implementation_->settings.up).cast<float>());
    if (!place) return std::nullopt;
    return Eigen::Vector2f(place->x() + static_cast<float>(viewport.x), place->y() + static_cast<float>(viewport.y));
}

}  // namespace tulle::render
