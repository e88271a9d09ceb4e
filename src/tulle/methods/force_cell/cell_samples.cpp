// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/cell_samples.h"

#include <cmath>

namespace tulle::methods {

namespace {

// σ′(φ) · e: how σ changes when φ moves by e.
Vector3 activation_change(const ForceCell& cell, const Vector3& phi, const Vector3& e) {
    if (cell.activation == CellActivation::Tanh) {
        const Vector3 sigma = activated(cell, phi);
        return e.array() * (1 - sigma.array().square());
    }
    if (cell.activation == CellActivation::Softsign) return e.array() / (1 + phi.array().abs()).square();
    const double root = std::sqrt(phi.squaredNorm() + cell.softening);
    return (e - phi * (phi.dot(e) / (root * root))) / root;
}

}  // namespace

double loss_weight(const CellState& state, double physics_share) {
    const double impulse = state.dt * state.dt;                 // |Δt e|²
    const double velocity = impulse * state.kept * state.kept;  // of the next velocity
    const double position = velocity * state.dt * state.dt;     // of the next position
    return physics_share * impulse + (1 - physics_share) * (velocity + position);
}

CellSamples::CellSamples(std::vector<CellState> states) : states_(std::move(states)) {
    for (size_t s = 0; s < states_.size(); ++s)
        for (int v = 0; v < states_[s].positions.rows(); ++v)
            if (states_[s].grid->inverse_masses(v) > 0) places_.emplace_back(static_cast<int>(s), v);
}

std::pair<const CellState&, int> CellSamples::at(long index) const {
    const auto& [state, vertex] = places_[static_cast<size_t>(index)];
    return {states_[static_cast<size_t>(state)], vertex};
}

Vector3 cell_gradient(const ForceCell& cell, const CellState& state, int vertex, CellGradient& gradient) {
    gradient.setZero();
    gradient.rightCols<3>().setIdentity();
    const double inverse_mass = state.grid->inverse_masses(vertex);
    const physics::Neighbours& around = state.grid->neighbours[static_cast<size_t>(vertex)];
    Vector3 acceleration = cell.bias;
    for (size_t c = 0; c < around.size(); ++c) {
        if (around[c] < 0) continue;
        const Vector3 d = state.positions.row(around[c]) - state.positions.row(vertex);
        const Vector3 w = state.velocities.row(around[c]) - state.velocities.row(vertex);
        const double scale = cell.scales[c];
        const ChannelFeatures features = channel_features(cell, scale, d, w);
        const auto column = static_cast<int>(c);
        gradient.col(first_linear + column) = inverse_mass * features.linear;
        gradient.col(first_nonlinear + column) = inverse_mass * features.nonlinear;
        gradient.col(first_derivative + column) = inverse_mass * features.derivative;
        const Vector3& sigma = features.nonlinear;
        const Vector3 change = activation_change(cell, features.linear, d);
        gradient.col(column) =
            inverse_mass *
            (cell.linear[c] * d + cell.nonlinear[c] * change +
             cell.derivative[c] * ((w.dot(sigma) + scale * w.dot(change)) * sigma + scale * w.dot(sigma) * change));
        acceleration += inverse_mass * (cell.linear[c] * features.linear + cell.nonlinear[c] * sigma +
                                        cell.derivative[c] * features.derivative);
    }
    return acceleration;
}

}  // namespace tulle::methods
