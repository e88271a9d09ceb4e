// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace tulle::datasets {

// The samples of one sequence, cut from its frames when they are asked for.
class SampleSource {
public:
    virtual ~SampleSource() = default;

    virtual long count() const = 0;
    virtual int input_size() const = 0;
    virtual int output_size() const = 0;

    // Writes sample `index`: what the network sees and what it should say. May be called from several threads.
    virtual void cut(long index, std::span<float> input, std::span<float> output) const = 0;
};

}  // namespace tulle::datasets
