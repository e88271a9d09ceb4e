// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/camera.h"
#include "tulle/render/fabric.h"
#include "tulle/render/image.h"
#include "tulle/render/panel.h"
#include "tulle/render/survey.h"
#include "tulle/render/tracer.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tulle::render {

enum class Coloring {
    Plain,    // the fabric
    Strain,   // a colour scale of the largest stretch of the edges around each vertex [%]
    Stretch,  // red where edges around a vertex are longer than at rest, blue where they are shorter, white where
              // neither
    Speed,    // a colour scale of the speed [m/s]
    Values,   // a colour scale of numbers that the frames bring
};

enum class Quality {
    Draft,
    Full,
};

enum class UpAxis { Y, Z };

struct GroundSettings {
    bool is_drawn = true;
    std::optional<double> height =
        {};  // [m]; without it, that of a collider that is a floor, or just below the whole motion
};

struct RenderSettings {
    ImageSize size = {};
    Quality quality = Quality::Full;
    Coloring coloring = Coloring::Plain;
    Pattern pattern = Pattern::Stripes;
    CameraSettings camera = {};  // the same in all panels
    GroundSettings ground = {};
    UpAxis up = UpAxis::Z;  // of everything that is given
    // Asked again and again while a picture is drawn, from any thread; once it says yes, draw() throws Stopped.
    std::function<bool()> wants_stop = {};
    std::optional<double> scale_maximum =
        {};                        // of the colour scale, [%] or [m/s]; without it, what the survey saw, rounded up
    std::string value_title = {};  // of values, with their unit
};

// Draws panels side by side, frame after frame, by tracing rays on the processor. The same bits at any thread count.
//
//     Survey survey(panels);
//     for (const auto& frames : motion) survey.add(frames);
//     Renderer renderer(panels, survey, {.coloring = Coloring::Strain});
//     write_png(renderer.draw(motion[40]), "strain.png");
class Renderer {
public:
    // Throws an Error if the size is out of range, the survey saw no frame or other panels, or the camera is unusable.
    Renderer(const std::vector<Panel>& panels, const Survey& survey, const RenderSettings& settings);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    Image draw(const std::vector<PanelFrame>& frames);  // one per panel; throws an Error if one does not fit its panel
    // Where a point [m, as given] is in a panel's part of the picture, in pixels of the picture.
    std::optional<Eigen::Vector2f> project(size_t panel, const Vector3& point) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace tulle::render
