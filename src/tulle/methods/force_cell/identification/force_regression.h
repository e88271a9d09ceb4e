// SPDX-License-Identifier: Apache-2.0
// First values for the trajectory fit: Newton's second law at each vertex is linear in all parameters, so they follow
// from places, velocities and accelerations by linear least squares.
#pragma once

#include "tulle/methods/force_cell/identification/cloth_parameters.h"
#include "tulle/methods/force_cell/identification/motion_recording.h"

#include <vector>

namespace tulle::methods {

// When in a step its forces are those of the cloth: an explicit step obeys M(x⁺ − 2x + x⁻)/Δt² = f(x), an implicit one
// f(x⁺).
enum class Reading { StartOfStep, EndOfStep };

struct Regression {
    ClothParameters parameters;
    ClothParameters attenuated;  // by the regressors as their own instruments: surer, but drawn towards zero by noise
    Reading reading = Reading::StartOfStep;
    double residual = 0;  // [1] part of the accelerations that this reading leaves unexplained
};

struct RegressionSettings {
    SpringLaw law = SpringLaw::Young;
    double noise = 0;  // [m] of the positions
    int reach = 0;     // of the time kernels [frames]
    int degree = 3;    // of their polynomials
};

// By one way of reading. Noise enters the regressors too, which would draw all values towards zero; the instruments are
// therefore the regressors of earlier and later frames, whose noise is another one. Each vertex weighs by how noisy its
// force is in each direction of space: little across the cloth, much along it.
Regression regress_forces(const KnownCloth& cloth, const MotionRecording& recording, Reading reading,
                          const RegressionSettings& settings);

}  // namespace tulle::methods
