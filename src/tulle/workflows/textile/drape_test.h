// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"
#include "tulle/scene/fabrics.h"
#include "tulle/workflows/textile/settle.h"
#include "tulle/workflows/textile/specimens.h"

#include <vector>

namespace tulle::workflows {

// Cusick's drape test (BS 5058, ISO 9073-9): a disc of 30 cm lies between two plates of 18 cm, and what is left of its
// ring's area when it hangs, seen from above, is the drape coefficient. A cloth can fall into more or fewer folds, so
// a laboratory takes the mean of several specimens; so do we, each uneven in its own way before it falls.
struct DrapeResult {
    double spacing = 0;  // [m]
    int particles = 0;
    double coefficient = 0;            // [1] 0: the ring hangs straight down, 1: it stays flat; the mean
    std::vector<double> coefficients;  // of each specimen
    std::vector<int> folds;            // of each specimen: bulges around the border
    double rest_speed = 0;             // [m/s] of the fastest vertex when it was measured, of all specimens
    geometry::TriangleMesh rest;
    Positions draped;  // |V|×3 [m] the first specimen
    bool stopped = false;
};

inline constexpr int drape_specimens = 3;

DrapeResult drape_test(const scene::Fabric& fabric, const DiscShape& shape, const SettleSettings& settings = {});

// Area [m²] of the shadow that the triangles cast straight down, counted in squares of the given size.
double shadow_area(const Positions& positions, const Triangles& triangles, double square = 2e-4 /* [m] */);

}  // namespace tulle::workflows
