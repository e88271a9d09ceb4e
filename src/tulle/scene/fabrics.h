// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"

#include <string>
#include <vector>

namespace tulle::scene {

// A cloth as a continuum: independent of how finely it is meshed.
struct Fabric {
    double density = 0;  // [kg/m²]
    double stretch = 0;  // in-plane stiffness along the threads [N/m]
    double shear = 0;    // shear stiffness [N/m], grids only: a mesh of edge springs has 3/8 of its stretch stiffness
    double bending = 0;  // flexural rigidity [N m]
    double damping = 0;  // in-plane viscosity [N s/m]
};

struct FabricPreset {
    std::string name;
    Fabric fabric;
    std::string source;  // where its numbers come from
};

const std::vector<FabricPreset>& fabric_presets();

// The springs of a grid that has the fabric's stretch and shear stiffness whatever its spacing.
physics::Springs fabric_springs(const geometry::GridCloth& cloth, const Fabric& fabric);

}  // namespace tulle::scene
