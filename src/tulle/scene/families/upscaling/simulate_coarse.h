// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/scene/families/upscaling/coarsen.h"

namespace tulle::scene {

// The coarse cloth of a full simulation as a method would simulate it, frame by frame. Every `frames` frames it is set
// back to the full one, so that it is off by what a network can mend, not by chaos. The frame from which it is set off
// is that of the full one.
datasets::Sequence simulate_coarse(const datasets::Sequence& full, const CoarseningLaw& law, int frames);

}  // namespace tulle::scene
