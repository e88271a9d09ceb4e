// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/force.h"
#include "tulle/physics/incidence.h"

namespace tulle::physics {

// A uniform pressure difference that pushes along the cloth's normals. On a grid each vertex feels a quarter of the
// area of its four corner parallelograms, as in the force-cell paper (its equation 3 with p = pressure / 4); on other
// meshes, and on grids with holes, a third of its triangles.
class Pressure final : public Force {
public:
    Pressure(const ClothModel& model, double pressure /* [Pa] */);

    double pressure() const { return pressure_; }
    void add_to(Forces& forces, const ClothState& state) const override;

private:
    Vector3 area_around(const Positions& positions, int vertex) const;
    Vector3 grid_area_around(const Positions& positions, int vertex) const;

    double pressure_;
    Triangles triangles_;
    Incidence triangles_around_;
    std::optional<geometry::GridSize> grid_;
};

}  // namespace tulle::physics
