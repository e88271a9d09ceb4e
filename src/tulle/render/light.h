// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/camera.h"
#include "tulle/render/color.h"

namespace tulle::render {

// A large soft sun over the viewer's left shoulder, a bright overcast sky, and pale ground that throws light back.
class Light {
public:
    explicit Light(const Camera& camera);

    const Point& sun_direction() const { return sun_; }  // unit, towards the sun's middle
    // Towards a place of the unit disc, which stands for the sun's; about unit.
    Point sun_direction(const Eigen::Vector2f& place) const {
        return sun_ + sun_radius_ * (place.x() * across_ + place.y() * along_);
    }
    const Color& sunlight() const { return sunlight_; }  // on a surface that faces the sun
    float penumbra() const { return sun_radius_; }       // tangent of the sun's angular radius

    static Color sky(const Point& direction);  // from a direction above the horizon, or from the ground below it
    static Color skylight_on_ground();         // from the whole open sky on level ground
    static Color reflected();                  // from a thing that hides the sky
    static Color ground_albedo();
    const Color& horizon() const { return horizon_; }  // where ground and sky meet in the background
    Color background(const Point& direction) const;    // what a camera sees behind everything

private:
    Point sun_;
    Point across_;
    Point along_;
    Color sunlight_;
    Color horizon_;
    float sun_radius_ = 0.075f;
};

}  // namespace tulle::render
