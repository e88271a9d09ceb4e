// SPDX-License-Identifier: Apache-2.0
// All that the training of a garment's network takes, as arrays: it knows neither scenes nor libtorch.
#pragma once

#include "tulle/body/character.h"
#include "tulle/methods/garment/garment_model.h"
#include "tulle/methods/garment/pattern_image.h"
#include "tulle/methods/garment/pattern_raster.h"
#include "tulle/projections/cloth.h"

#include <vector>

namespace tulle::methods {

// The garment on one posed body.
struct GarmentExample {
    Eigen::VectorXf inputs;    // 9|J| (pose_inputs.h)
    Rows<float, 3> places;     // |V|×3 [m] r̃, in the character's own space
    Rows<float, 9> frames;     // |V|×9 row by row: columns u, v and n
    Rows<float, 3> positions;  // |V|×3 [m] r, the truth
};

using GarmentExamples = std::vector<GarmentExample>;

// Added to the mean square distance of vertices [mm²].
struct GarmentLoss {
    double image = 0;    // times the mean square distance of pixels on the pattern [mm²]: what the original minimised
    double normals = 0;  // [mm²] times the mean of 1 − cos of the angle between normals of triangles
};

enum class LearntMu { No, Global, Vertex };

struct GarmentLesson {
    projections::Cloth cloth;
    PatternImage image;
    std::vector<PatternPixel> pixels;  // on the pattern
    GarmentModel start;                // what training begins with; its projection is part of what is trained
    LearntMu learnt_mu = LearntMu::No;
    double mu_rate = 1;  // μ is learnt in log space so many times as fast as weights
    GarmentLoss loss;
    GarmentExamples training, validation, test;
};

// d of an example in its frames, |V|×3 [m].
Positions offsets_of(const GarmentExample& example);
// Where a garment with these offsets is, |V|×3 [m].
Positions positions_at(const GarmentExample& example, const Positions& offsets);

// Sets what is measured on examples: mean and scale of inputs and offsets, and the range of inputs.
void measure_normalisation(const GarmentExamples& training, GarmentModel& model);

// What learns is the network, then the logarithms of μ over mu_rate, if they are learnt: one, or |V|.
std::vector<float> parameters_of(const GarmentLesson& lesson);
// The model that these parameters are.
GarmentModel model_with(const GarmentLesson& lesson, std::span<const float> parameters);

}  // namespace tulle::methods
