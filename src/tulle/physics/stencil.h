// SPDX-License-Identifier: Apache-2.0
// The 13-point stencil of the papers' grids: a vertex and the twelve that springs may join it to.
#pragma once

#include "tulle/physics/cloth_model.h"

#include <array>
#include <optional>
#include <vector>

namespace tulle::physics {

inline constexpr int stencil_directions = 6;
inline constexpr int stencil_channels = 12;

// Rows and columns to the neighbour ahead in each direction, in the order of grid_springs: along the grid, diagonal,
// over two cells. The neighbour behind is on the other side.
inline constexpr std::array<std::array<int, 2>, stencil_directions> stencil_offsets = {
    {{0, 1}, {1, 0}, {1, 1}, {1, -1}, {0, 2}, {2, 0}}};

// The neighbours of a vertex: in direction i the one ahead at [2i] and the one behind at [2i + 1]; -1 where there is
// none.
using Neighbours = std::array<int, stencil_channels>;

// Of every vertex, as far as springs join them; nothing unless the cloth is a grid whose springs are all of the
// stencil.
std::optional<std::vector<Neighbours>> stencil_neighbours(const ClothModel& model);

// The springs of each direction, ahead and behind alike; zeros where there are none.
struct StencilMaterial {
    using Directions = std::array<double, stencil_directions>;
    Directions stiffness{};     // [N/m]
    Directions rest_lengths{};  // [m]
    Directions damping{};       // [N s/m]
};

// Nothing unless stencil_neighbours has something and the springs of each direction are alike to a part in 100,000.
std::optional<StencilMaterial> uniform_material(const ClothModel& model);

// Whether a direction has springs in some places of the grid but not in all.
bool has_holes(const ClothModel& model);

}  // namespace tulle::physics
