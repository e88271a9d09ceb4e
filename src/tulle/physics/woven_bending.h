// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

namespace tulle::physics {

// The bending of a cloth whose threads are the rows and columns of a grid: each thread resists its own curvature, each
// cell its twist. With κ₁ and κ₂ along the threads and the twist κ₁₂,
//
//     U = ½ D ∫ κ₁² + κ₂² + 2 κ₁₂²,    κ₁ from x₋₁ − 2x₀ + x₊₁,    κ₁₂ from x₀₀ − x₀₁ − x₁₀ + x₁₁,
//
// a plate that does not curl across when it is bent along. Hinges over the edges of triangles (quadratic_hinges) know
// only κ₁ + κ₂, so that a free border curls for nothing and a strip of 25 mm bends 12 % too easily.
Hinges woven_hinges(const geometry::GridCloth& cloth, double flexural_rigidity);

}  // namespace tulle::physics
