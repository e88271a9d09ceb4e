// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/render/color.h"

#include <Eigen/Core>

namespace tulle::render {

// Both are woven into the cloth: they widen where it stretches and slant where it shears.
enum class Pattern {
    Stripes,  // along the cloth
    Weave,    // bands in both directions, darker where they cross
};

// The colour of the cloth's threads.
class Fabric {
public:
    Fabric(Pattern pattern, double cloth_size);  // [m] longer side of the cloth, which sets how wide the bands are

    // At a place of the unstretched cloth [m], averaged over a spot of the given size [m].
    Color albedo(const Eigen::Vector2f& place, bool is_front, float spot) const;

private:
    Pattern pattern_;
    float period_;  // [m] from one band to the next
};

}  // namespace tulle::render
