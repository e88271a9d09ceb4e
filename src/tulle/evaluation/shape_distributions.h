// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/evaluation/histogram.h"

#include <array>
#include <vector>

namespace tulle::evaluation {

// Where one number goes, sample by sample.
using Samples = std::vector<double>;

// What shapes a cloth takes, whenever it takes them: of a chaotic motion this is what two good runs have in common.
struct ShapeDistributions {
    Histogram strain;            // |length over rest length − 1| of structural springs
    Histogram curvature;         // size of the mean curvature [1/m]
    std::array<Samples, 3> tip;  // where the tip is along each axis [m], one sample a frame

    void add(const ShapeDistributions& other);
};

// Wasserstein-1 distances, each in its own unit.
struct ShapeDistances {
    double strain = 0;
    double curvature = 0;  // [1/m]
    double tip = 0;        // [m] mean over the three axes
};

double distance_between(Samples a, Samples b);
// Neither may be empty.
ShapeDistances distances_between(const ShapeDistributions& a, const ShapeDistributions& b);

}  // namespace tulle::evaluation
