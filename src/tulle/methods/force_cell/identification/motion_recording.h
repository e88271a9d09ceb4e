// SPDX-License-Identifier: Apache-2.0
// Recorded positions in time, and how places and velocities are read out of them although they are noisy.
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::methods {

struct MotionRecording {
    std::vector<Positions> frames;  // each |V|×3 [m], equally far apart in time
    double first_time = 0;          // [s]
    double frame_time = 0;          // [s] from one frame to the next

    long count() const { return static_cast<long>(frames.size()); }
    double time(long frame) const { return first_time + frame_time * static_cast<double>(frame); }
};

// A place between frames as a weighted sum of the frames n − reach … n + reach.
struct TimeKernel {
    int reach = 0;
    VectorX weights;  // 2 · reach + 1

    double noise_gain() const { return weights.squaredNorm(); }  // variance of the sum where each frame has variance 1
};

// The value at `offset` [frames] of the polynomial that fits the frames best, those far away with less weight
// (1 − u²)³. It keeps polynomials up to its degree as they are. Reach 0 or 1 joins frames by straight lines.
TimeKernel local_polynomial(int reach, int degree, double offset);
TimeKernel difference(const TimeKernel& a, const TimeKernel& b);  // a − b, of the same reach

Positions apply(const TimeKernel& kernel, const MotionRecording& recording, long frame);

// Standard deviation [m] of what changes from frame to frame without being motion, from high differences in time. Where
// the frames are too far apart for that it is too large. `counted`: vertices to look at.
double position_noise(const MotionRecording& recording, const std::vector<int>& counted);

// How far frames may be looked at around one before the motion no longer is a polynomial to within the noise.
struct FairReach {
    int reach = 0;
    double misfit = 0;  // [1] what polynomials leave, relative to what noise explains; about 1 where fair
};
FairReach fair_reach(const MotionRecording& recording, long frame, int degree, double noise,
                     const std::vector<int>& counted);

}  // namespace tulle::methods
