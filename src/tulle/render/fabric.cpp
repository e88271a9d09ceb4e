// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/fabric.h"

#include <algorithm>
#include <cmath>

namespace tulle::render {

namespace {

struct Threads {
    Color ground;
    Color band;
    Color crossed;  // a ground thread over a band thread
};

Threads make_threads(const Rgb& ground, const Rgb& band) {
    const Color a = from_srgb(ground);
    const Color b = from_srgb(band);
    return {.ground = a, .band = b, .crossed = (a * b).sqrt()};  // as paints mix: more colourful than the mean
}

const Threads front = make_threads({24, 118, 138}, {240, 230, 208});
const Threads back = make_threads({226, 106, 70}, {244, 226, 196});

// The integral of the wave that is 1 on [0, duty) of each period of length 1 and 0 elsewhere.
float band_integral(float x, float duty) {
    const float whole = std::floor(x);
    return whole * duty + std::min(x - whole, duty);
}

// The mean of that wave over [x − spot/2, x + spot/2]: exact, so bands do not flicker however far away they are.
float band(float x, float duty, float spot) {
    const float width = std::max(spot, 1e-3f);
    return (band_integral(x + width / 2, duty) - band_integral(x - width / 2, duty)) / width;
}

}  // namespace

Fabric::Fabric(Pattern pattern, double cloth_size)
    : pattern_(pattern), period_(static_cast<float>(cloth_size) / (pattern == Pattern::Stripes ? 16.0f : 20.0f)) {}

Color Fabric::albedo(const Eigen::Vector2f& place, bool is_front, float spot) const {
    const Threads& threads = is_front ? front : back;
    const Eigen::Vector2f at = place / period_;
    const float size = spot / period_;
    if (pattern_ == Pattern::Stripes)
        return threads.ground + band(at.y(), 0.30f, size) * (threads.band - threads.ground);
    const float across = band(at.x(), 0.5f, size);
    const float along = band(at.y(), 0.5f, size);
    return across * along * threads.ground + (1 - across) * (1 - along) * threads.band +
           (across + along - 2 * across * along) * threads.crossed;
}

}  // namespace tulle::render
