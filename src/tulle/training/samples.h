// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/scene/families/course.h"
#include "tulle/training/sample_set.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::training {

// Samples for one network of a course out of some of the sequences; looks at them, so they must outlive it.
class CutSamples {
public:
    CutSamples(const std::vector<datasets::Sequence>& sequences, const std::vector<size_t>& chosen,
               const scene::Course& course, const std::string& network);
    const SampleSet& set() const { return set_; }

private:
    std::vector<std::unique_ptr<datasets::SampleSource>> sources_;
    SampleSet set_;
};

}  // namespace tulle::training
