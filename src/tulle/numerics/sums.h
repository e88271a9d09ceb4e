// SPDX-License-Identifier: Apache-2.0
// Sums over whole arrays (n×3, or vectors) on all threads, with the same bits at any number of them.
#pragma once

#include "tulle/core/parallel.h"

#include <cmath>

namespace tulle::numerics {

template <typename Array>
double dot(const Array& a, const Array& b) {
    return parallel_sum(a.rows(), [&](long i) { return a.row(i).dot(b.row(i)); });
}

template <typename Array>
double norm(const Array& a) {
    return std::sqrt(dot(a, a));
}

// a += factor · b
template <typename Array>
void add_scaled(Array& a, double factor, const Array& b) {
    parallel_for(a.rows(), [&](long i) { a.row(i) += factor * b.row(i); });
}

}  // namespace tulle::numerics
