// SPDX-License-Identifier: Apache-2.0
// What identification looks for, and what is known of the recorded cloth beforehand.
#pragma once

#include "tulle/physics/cloth_model.h"
#include "tulle/physics/solvers/settings.h"
#include "tulle/physics/world.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tulle::methods {

inline constexpr int parameter_count = 10;  // three stiffnesses, three dampings, drag, three of gravity

// The springs of a grid by kind: 0 stretch, 1 shear, 2 bend.
struct ClothParameters {
    std::array<double, 3> stiffness{};  // [N/m], or [N] where it is divided by the rest length
    std::array<double, 3> damping{};    // [N s/m]
    double drag = 0;                    // [1/s]
    Vector3 gravity = Vector3::Zero();  // [m/s²]
};

VectorX to_vector(const ClothParameters& parameters);  // 10, in the order of the members
ClothParameters to_parameters(const VectorX& values);
// "stretch.stiffness", …, "drag", "gravity.x", …
std::string parameter_name(int index);

// Which parameters are free: each kind of spring has its own stiffness and damping, or all share one of each (the
// force-cell paper's cloth, whose springs have one Young's modulus).
enum class SpringLaw { ByKind, Young };

// 10×p: the parameters are this times the free ones of the law.
Eigen::MatrixXd law_matrix(SpringLaw law);

// What is known of a recorded cloth.
struct KnownCloth {
    physics::ClothModel model;          // rest shape, grid, masses, pins; its springs are made anew
    physics::World world;               // wind, pressure and contact; its gravity and drag are not looked at
    bool stiffness_per_length = false;  // a spring of rest length L has stiffness / L
    std::optional<physics::SolverSettings> solver;  // what made the recording, if that is known
    int steps_per_frame = 1;
};

// One kind for each spring; an Error unless the springs are those of grid_springs.
std::vector<int> spring_kinds(const physics::ClothModel& model);

// The cloth with all springs of a grid, whatever stiffness they have. Throws an Error where it is no grid of springs.
KnownCloth with_all_springs(KnownCloth cloth);

// The cloth and its world with these parameters.
physics::ClothModel model_with(const KnownCloth& cloth, const std::vector<int>& kinds,
                               const ClothParameters& parameters);
physics::World world_with(const KnownCloth& cloth, const ClothParameters& parameters);

}  // namespace tulle::methods
