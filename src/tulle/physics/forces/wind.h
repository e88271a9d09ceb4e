// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/forces/force.h"
#include "tulle/physics/incidence.h"
#include "tulle/physics/interaction.h"

#include <cstdint>

namespace tulle::physics {

struct WindSettings {
    Vector3 velocity = Vector3::Zero();  // [m/s]
    double normal = 1;                   // [N s/m³] force per area and relative speed across the cloth
    double tangential = 0.1;             // [N s/m³] the same along the cloth
    double gust_strength = 0;            // [1] largest change of speed, as a part of it
    double gust_period = 2;              // [s] of the slowest gust
    double turning_angle = 0;            // [rad] the direction swings this far to both sides
    double turning_period = 6;           // [s] of that swing
    Vector3 turning_axis = Vector3::UnitZ();
    std::uint64_t seed = 1;  // of the gusts
};

// Air after Wejchert and Haumann 1991: a triangle of area A and normal n that meets air of relative velocity u feels
// A (c_n (n·u) n + c_t (u − (n·u) n)), a third of it on each vertex.
class Wind final : public Force {
public:
    // The interaction must outlive it; null: there is none.
    Wind(const ClothModel& model, const WindSettings& settings, const Interaction* interaction = nullptr);

    const WindSettings& settings() const { return settings_; }
    Vector3 velocity_at(double time) const;  // [m/s]
    void add_to(Forces& forces, const ClothState& state) const override;

private:
    Triangles triangles_;
    Incidence triangles_around_;
    WindSettings settings_;
    const Interaction* interaction_;
    Eigen::Array3d gust_phases_;  // [rad]
};

}  // namespace tulle::physics
