// SPDX-License-Identifier: Apache-2.0
// Does a network keep the bounds that it sets to its own errors, and how doubtful may an answer be?
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/methods/upscaling/trust.h"
#include "tulle/neural/network.h"

#include <memory>
#include <vector>

namespace tulle::scene {

using Sources = std::vector<std::unique_ptr<datasets::SampleSource>>;

// What a network with canonical features says of samples that it did not learn from.
class JudgedAnswers {
public:
    // At most `most` of the samples, evenly spread.
    JudgedAnswers(const neural::Network& network, const Sources& samples, long most = 30'000);

    // As cautious as costs at most a hundredth of the accuracy, with bounds that nine of ten answers keep.
    methods::Trust find_trust() const;
    // The share of answers that keep their bounds.
    double within_bounds(const methods::Trust& trust) const;

private:
    struct Answer {
        float size, bound;  // as the network says, in its own scale
        float along;        // product of answer and target, mean over numbers
        float target;       // mean square
        float weight;       // in training
    };
    // Root of the mean square that is left of an answer.
    static float error(const Answer& answer, const methods::Trust& trust);
    double mean_error(const methods::Trust& trust) const;  // relative, as training sees it

    std::vector<Answer> answers_;
};

}  // namespace tulle::scene
