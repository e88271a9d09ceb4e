// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/evaluation/metrics.h"
#include "tulle/methods/upscaling/upscaler.h"

#include <vector>

namespace tulle::evaluation {

DistanceSummary summarise(std::vector<double> distances);

// How far the upscaler is from a full simulation whose own coarse vertices it is given: what the network is worth,
// without the coarse simulation's error. `fine_vertices` are indices of the sequence's.
DistanceSummary teacher_forced_error(const methods::Upscaler& upscaler, const std::vector<int>& fine_vertices,
                                     const datasets::Sequence& sequence, long every_frame = 1);

// The same of a full simulation that is still running: it is given frame after frame, the first included, which is not
// counted. The upscaler must outlive it.
class TeacherForcing {
public:
    TeacherForcing(const methods::Upscaler& upscaler, std::vector<int> fine_vertices)
        : upscaler_(upscaler), fine_vertices_(std::move(fine_vertices)) {}

    void add(const Positions& full);
    DistanceSummary summary() const { return distances_.summary(); }

private:
    const methods::Upscaler& upscaler_;
    std::vector<int> fine_vertices_;  // indices of the full cloth's
    std::vector<Positions> seen_;     // the last coarse frames, oldest first
    long frames_ = 0;
    Positions fine_;
    DistanceStatistics distances_;
};

}  // namespace tulle::evaluation
