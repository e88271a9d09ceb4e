// SPDX-License-Identifier: Apache-2.0
#include "tulle/training/sample_set.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tulle::training {

SampleSet::SampleSet(std::vector<const datasets::SampleSource*> sources) : sources_(std::move(sources)) {
    long end = 0;
    for (const datasets::SampleSource* source : sources_) {
        if (source->input_size() != input_size() || source->output_size() != output_size())
            throw Error(
                "samples of {} and {} numbers cannot be mixed with samples of {} and {}; use sequences of one "
                "kind of cloth",
                input_size(), output_size(), source->input_size(), source->output_size());
        ends_.push_back(end += source->count());
    }
}

void SampleSet::cut(long index, std::span<float> input, std::span<float> output) const {
    assert(index >= 0 && index < count());
    const auto end = std::upper_bound(ends_.begin(), ends_.end(), index);
    const long begin = end == ends_.begin() ? 0 : *(end - 1);
    sources_[static_cast<size_t>(end - ends_.begin())]->cut(index - begin, input, output);
}

}  // namespace tulle::training
