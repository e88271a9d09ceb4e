// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/light.h"
#include "tulle/render/ray_caster.h"

#include <limits>
#include <vector>

namespace tulle::render {

// An upright rectangle of the ground [m].
struct GroundArea {
    Eigen::Vector2f low = Eigen::Vector2f::Zero();
    Eigen::Vector2f high = Eigen::Vector2f::Zero();
};

// Values in [0, 1] on a grid over an area; 1 outside.
class LightMap {
public:
    LightMap(const GroundArea& area, int cells_along_longer_side);
    float at(float x, float y) const;  // bilinear

    int columns() const { return columns_; }
    int rows() const { return rows_; }
    Eigen::Vector2f place(int column, int row) const;
    float& value(int column, int row) { return values_[index(column, row)]; }
    float value(int column, int row) const { return values_[index(column, row)]; }
    void blur();      // by the binomial 1 2 1 in both directions
    void fade_out();  // towards 1 at the border, so that it cannot be seen

private:
    size_t index(int column, int row) const { return static_cast<size_t>(row) * columns_ + column; }

    GroundArea area_;
    int columns_;
    int rows_;
    float cells_per_metre_;
    std::vector<float> values_;
};

struct GroundQuality {
    int sun_cells = 320;  // of the shadow map along its longer side
    int sun_rays = 64;    // per cell in half-shadow; a power of two
    int sky_cells = 80;
    int sky_rays = 64;
};

// Level ground that fades into the background. Shadows on it are gathered in maps, which are free of noise.
class Ground {
public:
    struct Placement {
        float height = 0;                                  // [m]
        Eigen::Vector2f middle = Eigen::Vector2f::Zero();  // [m] of the lit part
        float radius = 1;                                  // [m] where the fading begins
        GroundArea shadow_area;                            // where the sun may be hidden
        GroundArea sky_area;                               // where the sky may be hidden
    };
    Ground(const Placement& placement, const GroundQuality& quality);

    void gather_light(const RayCaster& caster, const Light& light);
    // How far along the ray the ground is [m]; infinite if it is not met.
    float distance(const Point& origin, const Point& direction) const {
        const float distance = (placement_.height - origin.z()) / direction.z();
        return direction.z() < 0 && distance > 0 ? distance : std::numeric_limits<float>::infinity();
    }
    Color seen(const Point& place, const Light& light) const;

private:
    void gather_sun(const RayCaster& caster, const Light& light);
    void gather_sky(const RayCaster& caster);

    Placement placement_;
    GroundQuality quality_;
    LightMap sun_;
    LightMap sky_;
};

}  // namespace tulle::render
