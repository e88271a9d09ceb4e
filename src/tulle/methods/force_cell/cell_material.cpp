// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/cell_material.h"

#include "tulle/core/error.h"

#include <cmath>

namespace tulle::methods {

namespace {

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-4 * std::max(std::abs(a), std::abs(b)); }

double ratio(double to, double from, const char* what) {
    if (to == 0) return 0;
    if (from == 0) throw Error("the force cell was taught a cloth without {}, which this one has", what);
    return to / from;
}

}  // namespace

physics::StencilMaterial cell_material(const physics::ClothModel& model) {
    const std::optional<physics::StencilMaterial> material = physics::uniform_material(model);
    if (!material)
        throw Error(
            "the force cell runs on grids with the papers' springs, alike in each direction; this cloth is not");
    return *material;
}

bool is_same(const TaughtMaterial& a, const TaughtMaterial& b) {
    for (size_t i = 0; i < physics::stencil_directions; ++i)
        if (!is_near(a.springs.stiffness[i], b.springs.stiffness[i]) ||
            !is_near(a.springs.rest_lengths[i], b.springs.rest_lengths[i]) ||
            !is_near(a.springs.damping[i], b.springs.damping[i]))
            return false;
    return (a.gravity - b.gravity).norm() <= 1e-4 * std::max(a.gravity.norm(), b.gravity.norm());
}

ForceCell carried_over(const ForceCell& cell, const TaughtMaterial& from, const TaughtMaterial& to) {
    ForceCell carried = cell;
    for (size_t c = 0; c < physics::stencil_channels; ++c) {
        const size_t i = c / 2;
        const double stiffness = ratio(to.springs.stiffness[i], from.springs.stiffness[i], "springs of that kind");
        const double length = ratio(to.springs.rest_lengths[i], from.springs.rest_lengths[i], "springs of that kind");
        carried.linear[c] *= stiffness;
        carried.nonlinear[c] *= stiffness * length;
        carried.derivative[c] *= ratio(to.springs.damping[i], from.springs.damping[i], "damping");
    }
    carried.bias += to.gravity - from.gravity;
    return carried;
}

}  // namespace tulle::methods
