// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"

#include <span>
#include <vector>

namespace tulle::training {

// Several sequences as one list of samples. It only looks at the sources, which must outlive it.
class SampleSet {
public:
    SampleSet() = default;
    // Throws an Error unless all sources have samples of the same sizes.
    SampleSet(std::vector<const datasets::SampleSource*> sources);

    long count() const { return ends_.empty() ? 0 : ends_.back(); }
    int input_size() const { return sources_.empty() ? 0 : sources_.front()->input_size(); }
    int output_size() const { return sources_.empty() ? 0 : sources_.front()->output_size(); }

    void cut(long index, std::span<float> input, std::span<float> output) const;

private:
    std::vector<const datasets::SampleSource*> sources_;
    std::vector<long> ends_;  // where each source's samples end in the list
};

}  // namespace tulle::training
