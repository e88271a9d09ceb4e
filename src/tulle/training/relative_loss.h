// SPDX-License-Identifier: Apache-2.0
// The loss of answers in canonical form (methods/upscaling/canonical.h). Of one sample, with n answers y, the
// logarithm m of their scale, the logarithm q of the error's bound in that scale, targets t and the weight w:
//
//     w (√(|e|²/T + η²) − η) + λ ½ (m − ½ log(T/n))² + λ pinball(q − log(rms e) + m),   e = exp(m) y − t,   T = |t|² +
//     n δ²
//
// The first term is relative to what interpolation leaves, so that smooth cloth counts as much as wrinkles; but for a
// small η it grows with the distance, not with its square, so that a few wild folds do not rule. The second
// makes m say how large the answer is, over many orders of magnitude. The third makes q the bound that nine of ten
// errors keep; it moves q only. Plain C++ without Eigen: the kernels include it.
#pragma once

#include "tulle/methods/upscaling/answer_heads.h"

#include <cmath>

namespace tulle::training {

inline constexpr float relative_floor = 2e-4f;        // δ: below, targets are rounding
inline constexpr float relative_width = 0.1f;         // η
inline constexpr float relative_side_weight = 0.05f;  // λ
inline constexpr float relative_quantile = 0.9f;      // of errors that keep their bound

// `size`: n + 2 numbers. Targets are t, then w and a number that is not looked at. Replaces the predictions by the
// gradient of the loss, which it returns.
inline float differentiate_relative(const float* targets, int size, float* predictions) {
    const int n = size - methods::answer_heads;
    float& m = predictions[n];
    float& q = predictions[n + 1];
    const float held = methods::held_log_scale(m);
    const float scale = std::exp(held), weight = targets[n];
    float target2 = static_cast<float>(n) * relative_floor * relative_floor, error2 = 0, along = 0;
    for (int j = 0; j < n; ++j) {
        const float answer = scale * predictions[j], error = answer - targets[j];
        target2 += targets[j] * targets[j];
        error2 += error * error;
        along += error * answer;
        predictions[j] = error;
    }
    const float length = std::sqrt(error2 / target2 + relative_width * relative_width);
    const float factor = weight / (target2 * length);
    for (int j = 0; j < n; ++j) predictions[j] *= factor * scale;
    const float numbers = static_cast<float>(n);
    const float off = m - 0.5f * std::log(target2 / numbers);
    const float over = q + held - 0.5f * std::log(error2 / numbers + relative_floor * relative_floor);
    const float slope = over > 0 ? 1 - relative_quantile : -relative_quantile;
    m = (held == m ? factor * along : 0.0f) + relative_side_weight * off;
    q = relative_side_weight * slope;
    return weight * (length - relative_width) + relative_side_weight * (0.5f * off * off + slope * over);
}

}  // namespace tulle::training
