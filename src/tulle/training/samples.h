// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sample_source.h"
#include "tulle/datasets/sequence.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/methods/features.h"
#include "tulle/training/sample_set.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::training {

// Which pieces of cloth a network of a method learns from.
struct Pieces {
    std::string method;
    int factor = 2;
    int level = 1;  // of the hierarchy, 1 to log₂ factor
    methods::Features features = methods::Features::Local;
};

// Samples of some of the sequences; looks at them, so they must outlive it.
class CutSamples {
public:
    CutSamples(const std::vector<datasets::Sequence>& sequences, const std::vector<size_t>& chosen,
               const Pieces& pieces);
    const SampleSet& set() const { return set_; }

private:
    std::vector<std::unique_ptr<datasets::SampleSource>> sources_;
    SampleSet set_;
};

// The levels of a sequence's mesh; throws an Error that names it if it cannot be halved that often.
geometry::Hierarchy hierarchy_of(const datasets::Sequence& sequence, int factor);

}  // namespace tulle::training
