// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/samples.h"

namespace tulle::training {

CutSamples::CutSamples(const std::vector<datasets::Sequence>& sequences, const std::vector<size_t>& chosen,
                       const scene::Course& course, const std::string& network) {
    std::vector<const datasets::SampleSource*> looks;
    for (const size_t index : chosen) {
        sources_.push_back(course.cut(sequences[index], network));
        looks.push_back(sources_.back().get());
    }
    set_ = SampleSet(std::move(looks));
}

}  // namespace tulle::training
