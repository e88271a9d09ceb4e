// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"

#include <functional>

namespace tulle::numerics {

struct NelderMeadSettings {
    double first_step = 0.3;  // size of the first simplex, along each coordinate
    int max_evaluations = 100;
    double tolerance = 1e-3;  // size of the simplex at which to stop
};

struct [[nodiscard]] NelderMeadResult {
    VectorX x;
    double value = 0;
    int evaluations = 0;
};

// Minimises a function of a few variables from its values alone (Nelder and Mead 1965). The start is among the points
// it compares, so the result is never worse.
NelderMeadResult minimise_nelder_mead(const std::function<double(const VectorX&)>& f, const VectorX& start,
                                      const NelderMeadSettings& settings = {});

}  // namespace tulle::numerics
