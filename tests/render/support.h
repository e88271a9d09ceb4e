// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/temporary_folder.h"
#include "tulle/geometry/grid_cloth.h"
#include "tulle/render/renderer.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

namespace tulle::render {

using tulle::test::TemporaryFolder;

// What a command writes to its standard output.
inline std::string output_of(const std::string& command) {
    std::string output;
    std::FILE* pipe = ::popen(command.c_str(), "r");
    if (!pipe) throw std::runtime_error("cannot run " + command);
    std::array<char, 4096> buffer;
    size_t count = 0;
    while ((count = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0) output.append(buffer.data(), count);
    ::pclose(pipe);
    return output;
}

// A square metre of cloth that hangs in the plane y = 0, facing −y, from z = 2 to z = 1.
inline geometry::TriangleMesh hanging_square(int vertices_per_side = 9) {
    return geometry::make_grid_cloth({vertices_per_side, vertices_per_side}, {.origin = Vector3(-0.5, 0, 2)}).mesh;
}

// A level square metre at z = 1, its front up.
inline geometry::TriangleMesh level_square(int vertices_per_side = 9) {
    return geometry::make_grid_cloth({vertices_per_side, vertices_per_side},
                                     {.origin = Vector3(-0.5, 0.5, 1), .along_rows = -Vector3::UnitY()})
        .mesh;
}

inline Panel panel_of(const geometry::TriangleMesh& cloth) { return {.cloth = cloth}; }

inline PanelFrame at_rest(const Panel& panel) {
    return {.positions = panel.cloth.positions, .velocities = Velocities::Zero(panel.cloth.positions.rows(), 3)};
}

struct Still {
    Image image;
    std::unique_ptr<Renderer> renderer;

    // The colour where a point [m] is drawn.
    Rgb at(const Vector3& point) const {
        const auto pixel = renderer->project(0, point).value();
        return image.at(static_cast<int>(pixel.x()), static_cast<int>(pixel.y()));
    }
    double brightness(const Vector3& point) const {
        const Rgb color = at(point);
        return (color[0] + color[1] + color[2]) / 3.0;
    }
};

inline Still draw_still(const std::vector<Panel>& panels, const std::vector<PanelFrame>& frames,
                        const RenderSettings& settings) {
    Survey survey(panels);
    survey.add(frames);
    auto renderer = std::make_unique<Renderer>(panels, survey, settings);
    Image image = renderer->draw(frames);
    return {std::move(image), std::move(renderer)};
}

inline Still draw_still(const Panel& panel, const RenderSettings& settings) {
    return draw_still({panel}, {at_rest(panel)}, settings);
}

inline int distance(const Rgb& a, const Rgb& b) {
    int sum = 0;
    for (size_t c = 0; c < 3; ++c) sum += std::abs(a[c] - b[c]);
    return sum;
}

}  // namespace tulle::render
