// SPDX-License-Identifier: Apache-2.0
// The start of a simulated recording is read from noisy frames. What of its error lasts, and could be mistaken for an
// effect of the parameters, is smooth over the cloth; so the start is corrected by a few cosine modes of the grid.
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/cloth_state.h"

#include <vector>

namespace tulle::methods {

class StartModes {
public:
    // cos(π i (row + ½)/rows) cos(π j (column + ½)/columns) for i + j < `order`, zero at pins.
    StartModes(const physics::ClothModel& model, int order);

    // Each mode moves positions and then velocities along x, y and z.
    int count() const { return 6 * static_cast<int>(shapes_.size()); }
    bool is_velocity(int mode) const { return mode >= count() / 2; }
    double squared_norm(int mode) const { return shape(mode).squaredNorm(); }
    // Adds amplitude [m] or [m/s] times the mode.
    void add(int mode, double amplitude, physics::ClothState& state) const;

private:
    const VectorX& shape(int mode) const { return shapes_[static_cast<size_t>(mode / 3) % shapes_.size()]; }
    std::vector<VectorX> shapes_;  // |V| each
};

}  // namespace tulle::methods
