// SPDX-License-Identifier: Apache-2.0
// How far a garment's network is from the truth, in the measures of the paper on coerced networks.
#pragma once

#include "tulle/methods/garment/garment_lesson.h"

#include <functional>
#include <vector>

namespace tulle::methods {

// ½ (ℓ − L)² summed over edges [m²]: the energy of edge springs over their stiffness.
struct EdgeEnergies {
    double compression = 0;  // of edges that are shorter than at rest
    double stretching = 0;   // of those that are longer
};
EdgeEnergies edge_energies(const projections::Cloth& cloth, const Edges& edges, const Positions& positions);

struct GarmentErrors {
    double sqrt_mse = 0;                   // [m] root of the mean over examples and vertices of the square distance
    double max_dist = 0;                   // [m] mean over examples of the largest distance
    EdgeEnergies energies, true_energies;  // [m²] mean over examples
    EdgeEnergies energy_errors;            // [m²] mean over examples of the absolute difference to the truth
    int unsolved = 0;                      // examples that the projection did not mend to its tolerance
    double projection_seconds = 0;         // of one example on one thread, mean
    double gradient_seconds = 0;           // of its adjoint, likewise
};

// Where the garment of an example is by the model, |V|×3 [m], before any projection.
using Infer = std::function<Positions(const GarmentExample&)>;
Infer by_network(const GarmentModel& model, const PatternImage& image);
Infer by_offsets(const Positions& offsets);  // the same in every pose: skinning alone

// What mends it afterwards; `mu` as in GarmentModel.
struct Mending {
    const projections::Projection* projection = nullptr;  // null: nothing does
    VectorX mu = {};
};

// On all threads, an example on each.
GarmentErrors measure_garment(const projections::Cloth& cloth, const GarmentExamples& examples, const Infer& infer,
                              const Mending& mending = {});

}  // namespace tulle::methods
