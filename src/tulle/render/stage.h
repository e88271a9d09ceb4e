// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/panel_scene.h"

#include <vector>

namespace tulle::render {

// How the panels share the picture.
struct Layout {
    std::vector<Viewport> viewports;  // of each panel, all of the same size
    Subject subject;                  // what the camera frames in each of them
};

// Puts the panels into the rows and columns in which the cloth is drawn largest.
Layout lay_out(const std::vector<Panel>& panels, const Survey& survey, const RenderSettings& settings);

// Camera, light, ground and colour scale for the whole motion.
Stage make_stage(const Layout& layout, const Survey& survey, const RenderSettings& settings);

}  // namespace tulle::render
