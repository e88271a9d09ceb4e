// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"

#include <memory>
#include <utility>

namespace tulle::datasets {

// Two sources as one; every sample of the second counts `repeats` times.
class JoinedSamples final : public SampleSource {
public:
    JoinedSamples(std::unique_ptr<SampleSource> first, std::unique_ptr<SampleSource> second, int repeats)
        : first_(std::move(first)), second_(std::move(second)), repeats_(repeats) {}

    long count() const override { return first_->count() + repeats_ * second_->count(); }
    int input_size() const override { return first_->input_size(); }
    int output_size() const override { return first_->output_size(); }
    void cut(long index, std::span<float> input, std::span<float> output) const override {
        const long beyond = index - first_->count();
        if (beyond < 0)
            first_->cut(index, input, output);
        else
            second_->cut(beyond % second_->count(), input, output);
    }

private:
    std::unique_ptr<SampleSource> first_, second_;
    int repeats_;
};

}  // namespace tulle::datasets
