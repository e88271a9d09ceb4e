// SPDX-License-Identifier: Apache-2.0
// The layer of a large step is linear in its coefficients, so it is learnt in closed form: least squares over pairs of
// what physics did in two large steps, under the constraints that keep it stable.
#pragma once

#include "tulle/methods/force_cell/box_laplacian.h"
#include "tulle/methods/force_cell/large_step.h"

#include <memory>
#include <vector>

namespace tulle::methods {

struct LargeStepCloth {
    BoxLaplacian laplacian;
    CellGrid grid;
    LargeStepMaterial material;
};

// One moment of a cloth between two large steps.
struct LargeStepPair {
    std::shared_ptr<const LargeStepCloth> cloth;
    Positions positions;   // |V|×3 [m]
    Forces accelerations;  // the cell's and those from outside, at the mean velocity of the step before [m/s²]
    Forces answers;        // what the layer should make of them: (w⁺ − eᵏ w) / (ē H) [m/s²]
};

struct LargeStepFitSettings {
    int steps = 8;           // k
    double time_step = 0;    // H [s]
    int degree = 4;          // of p
    int across_degree = 4;   // of r
    double margin = 0.9;     // of what is stable that p may use up
    int smoothing = 3;       // n of what answers are smoothed by
    double across_most = 6;  // H² κ r may be so large: while the gate is open, cloth is softer across by its strain
};

struct LargeStepFit {
    LargeStep layer;
    double relative_error = 0;  // of the smoothed answers
    long pairs = 0;
};

// The least-squares problem for the coefficients (p's, then r's): squares of the errors that are left when answers and
// layer are smoothed by the n-th of the filters with s q(s) = (1 − Tₙ(1 − 2s)) / (2n²). Short waves pass; what lasts
// are long ones.
struct LargeStepNormal {
    Eigen::MatrixXd gram;
    VectorX right;
    double squares = 0;  // at coefficients of zero

    double error(const VectorX& coefficients) const;  // sum of squares
};
LargeStepNormal normal_equations(const std::vector<LargeStepPair>& pairs, const LargeStepFitSettings& settings);

// Throws an Error if there is nothing to learn from, or if no layer of these degrees is stable.
LargeStepFit fit_large_step(const std::vector<LargeStepPair>& pairs, const LargeStepFitSettings& settings);

}  // namespace tulle::methods
