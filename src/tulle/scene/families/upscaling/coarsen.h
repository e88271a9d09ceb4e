// SPDX-License-Identifier: Apache-2.0
// The coarse cloth that is simulated in place of a scene's own, by the laws of docs/miniature.md.
#pragma once

#include "tulle/methods/upscaling/scaling.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/scene/scene.h"

#include <string>
#include <vector>

namespace tulle::scene {

struct CoarseningLaw {
    int factor = 2;
    methods::Scaling scaling = methods::Scaling::Similarity;
    methods::Calibration calibration;  // not used by similarity
    // The miniature paper divides wind by the factor and lets it act on areas in a world divided by it, which in the
    // units of the scene makes air 1/factor² as dense; the hierarchy paper leaves it.
    bool thin_air = false;
};

struct CoarseScene {
    Scene scene;
    std::vector<int> fine_vertices;  // where each of its vertices is in the fine cloth
    std::string note;                // what a user should know; empty: nothing
};

// `fine`: the scene's own cloth. Throws an Error that names the nearest sizes that do unless the grid divides.
CoarseScene coarsen(const Scene& scene, const physics::ClothModel& fine, const CoarseningLaw& law);

}  // namespace tulle::scene
