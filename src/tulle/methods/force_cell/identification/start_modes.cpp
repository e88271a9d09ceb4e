// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/force_cell/identification/start_modes.h"

#include <cmath>
#include <numbers>

namespace tulle::methods {

StartModes::StartModes(const physics::ClothModel& model, int order) {
    const std::vector<bool> pinned = model.pinned();
    const auto [rows, columns] = *model.grid;
    for (int i = 0; i < std::min(order, rows); ++i)
        for (int j = 0; i + j < order && j < columns; ++j) {
            VectorX shape(model.vertex_count());
            for (int v = 0; v < model.vertex_count(); ++v)
                shape(v) = pinned[static_cast<size_t>(v)]
                               ? 0
                               : std::cos(std::numbers::pi * i * (v / columns + 0.5) / rows) *
                                     std::cos(std::numbers::pi * j * (v % columns + 0.5) / columns);
            shapes_.push_back(std::move(shape));
        }
}

void StartModes::add(int mode, double amplitude, physics::ClothState& state) const {
    auto& values = is_velocity(mode) ? state.velocities : state.positions;
    values.col(mode % 3) += amplitude * shape(mode);
}

}  // namespace tulle::methods
