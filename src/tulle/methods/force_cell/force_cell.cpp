// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/force_cell.h"

#include "tulle/core/error.h"
#include "tulle/methods/force_cell/cell_material.h"

#include <cmath>

namespace tulle::methods {

std::string to_string(CellActivation activation) {
    switch (activation) {
        case CellActivation::Isru:
            return "isru";
        case CellActivation::Tanh:
            return "tanh";
        case CellActivation::Softsign:
            return "softsign";
    }
    return "";
}

CellActivation parse_cell_activation(const std::string& name) {
    for (const auto activation : {CellActivation::Isru, CellActivation::Tanh, CellActivation::Softsign})
        if (to_string(activation) == name) return activation;
    throw Error("there is no activation '{}'; valid are isru, tanh and softsign", name);
}

CellGrid make_cell_grid(const physics::ClothModel& model) {
    std::optional<std::vector<physics::Neighbours>> neighbours = physics::stencil_neighbours(model);
    if (!neighbours)
        throw Error("the force cell runs on grids with the papers' springs; this cloth is of another kind");
    CellGrid grid{.neighbours = std::move(*neighbours), .inverse_masses = model.masses.cwiseInverse()};
    for (const physics::PinGroup& group : model.pins)
        for (const int v : group.vertices) grid.inverse_masses(v) = 0;
    return grid;
}

Vector3 activated(const ForceCell& cell, const Vector3& phi) {
    if (cell.activation == CellActivation::Tanh) return phi.unaryExpr([](double x) { return std::tanh(x); });
    if (cell.activation == CellActivation::Softsign)
        return phi.unaryExpr([](double x) { return x / (1 + std::abs(x)); });
    return phi / std::sqrt(phi.squaredNorm() + cell.softening);
}

ChannelFeatures channel_features(const ForceCell& cell, double scale, const Vector3& d, const Vector3& w) {
    const Vector3 phi = scale * d, xi = scale * w, sigma = activated(cell, phi);
    return {.linear = phi, .nonlinear = sigma, .derivative = xi.dot(sigma) * sigma};
}

Vector3 cell_acceleration(const ForceCell& cell, const CellGrid& grid, const Positions& positions,
                          const Velocities& velocities, int vertex) {
    if (grid.inverse_masses(vertex) == 0) return Vector3::Zero();
    const physics::Neighbours& around = grid.neighbours[static_cast<size_t>(vertex)];
    Vector3 force = Vector3::Zero();
    for (size_t c = 0; c < around.size(); ++c) {
        if (around[c] < 0) continue;
        const ChannelFeatures features =
            channel_features(cell, cell.scales[c], positions.row(around[c]) - positions.row(vertex),
                             velocities.row(around[c]) - velocities.row(vertex));
        force += cell.linear[c] * features.linear + cell.nonlinear[c] * features.nonlinear +
                 cell.derivative[c] * features.derivative;
    }
    return grid.inverse_masses(vertex) * force + cell.bias;
}

ForceCell exact_cell(const physics::ClothModel& model, const Vector3& gravity, double softening) {
    const physics::StencilMaterial material = cell_material(model);
    ForceCell cell;
    cell.scales.fill(1);
    cell.bias = gravity;
    cell.softening = softening;
    for (size_t c = 0; c < physics::stencil_channels; ++c) {
        cell.linear[c] = material.stiffness[c / 2];
        cell.nonlinear[c] = -material.stiffness[c / 2] * material.rest_lengths[c / 2];
        cell.derivative[c] = material.damping[c / 2];
    }
    return cell;
}

bool has_tied_pairs(const ForceCell& cell) {
    for (size_t c = 0; c < physics::stencil_channels; c += 2)
        for (const ForceCell::Channels* values : {&cell.scales, &cell.linear, &cell.nonlinear, &cell.derivative})
            if ((*values)[c] != (*values)[c + 1]) return false;
    return true;
}

}  // namespace tulle::methods
