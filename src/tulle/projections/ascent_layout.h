// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/numerics/aligned_array.h"

#include <span>
#include <vector>

namespace tulle::projections {

// A vertex must stay on one side of a plane: normal·r ≥ offset.
struct ContactPlane {
    int vertex = 0;
    Vector3 normal = Vector3::UnitZ();  // unit
    double offset = 0;                  // [m]
};

// Arrays of constant numbers as the kernels want them. Edges come first among the rows of multipliers, filled up to a
// multiple of four with edges that do nothing; planes follow.
struct AscentLayout {
    long vertices = 0, edges = 0, padded_edges = 0, planes = 0;
    numerics::AlignedArray<double> mobility;              // |V| w
    std::vector<int> first_pulls, first_minuses, pulls;   // see AscentArrays
    std::vector<unsigned> ends;                           // |E|×2
    numerics::AlignedArray<double> steps, inverse_steps;  // of each row, τ and 1/τ

    long rows() const { return padded_edges + planes; }
};

// `mobility`: |V|, 1/k, 0 where a vertex is fixed; no edge may have two fixed ends. The step of a constraint is the
// largest that keeps dual ascent a descent for any input: 1/τ = w_a n_a + w_b n_b with the numbers n of constraints at
// its ends, which bounds D K⁻¹ Dᵀ by its row sums.
AscentLayout make_layout(const Edges& edges, const VectorX& mobility, std::span<const ContactPlane> planes);

}  // namespace tulle::projections
