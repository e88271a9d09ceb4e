// SPDX-License-Identifier: Apache-2.0
// Losses in metres, in whatever terms a network answers.
#pragma once

#include "tulle/neural/network.h"
#include "tulle/neural/symmetry.h"
#include "tulle/training/sample_set.h"

#include <optional>

namespace tulle::training {

// In which terms a network answers.
struct AnswerTerms {
    double unit = 1;  // [m] the rest spacing, of canonical answers
    // Of canonical answers, which are in units of their piece's own size; none: they are in metres.
    std::optional<neural::Symmetry> symmetry = {};
};

// Mean squares over samples and answered numbers [m²].
struct MetricLoss {
    double answers = 0;
    double zeros = 0;  // of answering zero: with canonical features that is plain interpolation
};

// Over all samples, or over a fixed random choice if there are more than `most`. A piece that canonical features leave
// to interpolation (flat to rounding, or collapsed) counts as answered exactly.
MetricLoss metric_loss(const neural::Network& network, const SampleSet& samples, const AnswerTerms& terms, long most);

}  // namespace tulle::training
