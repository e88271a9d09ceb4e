// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/force_cell.h"

namespace tulle::methods {

// The springs of a cloth by direction. Throws an Error unless it is a grid and those of each direction are alike.
physics::StencilMaterial cell_material(const physics::ClothModel& model);

// What a cell was taught.
struct TaughtMaterial {
    physics::StencilMaterial springs;
    Vector3 gravity = Vector3::Zero();  // [m/s²]
};

bool is_same(const TaughtMaterial& a, const TaughtMaterial& b);  // to a part in 10,000

// A cell learnt at one material as a cell of another, or of another spacing: what it learnt of springs changes in the
// ratio of the stiffnesses, its pull in the ratio of stiffness times rest length, its derivative branch in the ratio of
// the dampings, and its bias by the difference of the gravities. Throws an Error where it learnt nothing that could be
// scaled.
ForceCell carried_over(const ForceCell& cell, const TaughtMaterial& from, const TaughtMaterial& to);

}  // namespace tulle::methods
