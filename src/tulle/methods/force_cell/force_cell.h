// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"
#include "tulle/physics/stencil.h"

#include <array>
#include <string>
#include <vector>

namespace tulle::methods {

// σ of the cell. Isru is the paper's, which turns a difference into its softened direction:
//   Isru      φ / √(|φ|² + c)
//   Tanh      tanh of each component
//   Softsign  φ / (1 + |φ|) of each component
enum class CellActivation { Isru, Tanh, Softsign };
std::string to_string(CellActivation activation);  // "isru", "tanh", "softsign"
CellActivation parse_cell_activation(const std::string& name);

// A convolutional network that is the physics of a mass-spring cloth (the force-cell paper's equations 6 and 7). Each
// of twelve channels sees one neighbour of a vertex by a difference filter, as d and w of its position and velocity:
//
//   φ = s d,  ξ = s w,  force = Σ [ α φ + β σ(φ) + γ (ξ·σ(φ)) σ(φ) ],  acceleration = force / mass + δ
//
// Springs of stiffness k and rest length L are α = k, β = −kL; dashpots are γ, gravity is δ.
struct ForceCell {
    using Channels = std::array<double, physics::stencil_channels>;

    Channels scales{};               // s [1] of the filters
    Channels linear{};               // α [N/m]
    Channels nonlinear{};            // β [N]
    Channels derivative{};           // γ [N s/m]
    Vector3 bias = Vector3::Zero();  // δ [m/s²]
    CellActivation activation = CellActivation::Isru;
    double softening = 0;  // c [m²] of Isru
};

// What surrounds the cell: who is whose neighbour, and masses. A missing neighbour gives nothing.
struct CellGrid {
    std::vector<physics::Neighbours> neighbours;
    VectorX inverse_masses;  // |V| [1/kg], 0 where pinned
};

// Throws an Error unless the cloth is a grid of the stencil's springs.
CellGrid make_cell_grid(const physics::ClothModel& model);

Vector3 activated(const ForceCell& cell, const Vector3& phi);  // σ(φ)

// One channel at one vertex.
struct ChannelFeatures {
    Vector3 linear;      // φ
    Vector3 nonlinear;   // σ(φ)
    Vector3 derivative;  // (ξ·σ(φ)) σ(φ)
};
ChannelFeatures channel_features(const ForceCell& cell, double scale, const Vector3& d, const Vector3& w);

// [m/s²] of a vertex; zero where it is pinned.
Vector3 cell_acceleration(const ForceCell& cell, const CellGrid& grid, const Positions& positions,
                          const Velocities& velocities, int vertex);

// The cell whose parameters are set by hand to the springs and the gravity of a cloth. Throws an Error unless the cloth
// is a grid and the springs of each direction are alike.
ForceCell exact_cell(const physics::ClothModel& model, const Vector3& gravity, double softening);

// Whether neighbours on opposite sides are treated alike, so that momentum is conserved.
bool has_tied_pairs(const ForceCell& cell);

}  // namespace tulle::methods
