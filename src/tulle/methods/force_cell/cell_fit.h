// SPDX-License-Identifier: Apache-2.0
// With fixed filters a cell is linear in what it learns. This page uses that: a fit in closed form, and units for what
// is learnt that make all of it alike for a training.
#pragma once

#include "tulle/methods/force_cell/cell_samples.h"

#include <cstdint>

namespace tulle::methods {

// The least-squares problem at `learnt`: gram · change = right, both per sample.
struct CellNormal {
    Eigen::MatrixXd gram;
    VectorX right;
    double squares = 0;  // mean |acceleration|² [m²/s⁴] that is not explained yet
    long samples = 0;
};
CellNormal normal_equations(const CellSamples& samples, const CellDesign& design, const CellParameters& parameters,
                            const VectorX& learnt, long most_samples);

struct CellFit {
    ForceCell cell;
    double relative_error = 0;  // of accelerations on the samples
    long samples = 0;
};

// The best cell in closed form. Throws an Error if filters are to be learnt, or if the samples do not tell all numbers.
CellFit fit_least_squares(const CellSamples& samples, const CellDesign& design, long most_samples);

// Units in which what is learnt is uncorrelated and of size one, from the samples.
CellParameters whitened_parameters(const CellSamples& samples, const CellDesign& design, long most_samples);

struct CellEvolution {
    int population = 46'656;  // 6⁶, as in the paper
    int generations = 60;
    std::uint64_t seed = 1;
};

// The paper's choice of units: differential evolution finds scale and sign of the linear, the nonlinear and the
// derivative branch and of the three components of the bias; `start` gets the signs.
CellParameters evolved_parameters(const CellSamples& samples, const CellDesign& design, long most_samples,
                                  const CellEvolution& settings, VectorX& start);

}  // namespace tulle::methods
