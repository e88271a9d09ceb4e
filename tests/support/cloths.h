// SPDX-License-Identifier: Apache-2.0
// Small cloths and the solvers, for tests that state physical facts.
#pragma once

#include "tulle/core/random.h"
#include "tulle/physics/solvers/solver.h"

#include <string>
#include <vector>

namespace tulle::test {

struct GridOptions {
    int rows = 9;
    int columns = 13;
    double spacing = 0.05;  // [m]
    double mass = 2e-3;     // [kg] a particle
    double stretch = 100;   // [N/m]
    double bend = 5;        // [N/m]
    double damping = 0;     // [N s/m]
    Vector3 along_rows = Vector3::UnitY();
};

inline physics::ClothModel grid_cloth(const GridOptions& options = {}) {
    const geometry::GridCloth cloth =
        geometry::make_grid_cloth({options.rows, options.columns}, {.origin = Vector3::Zero(),
                                                                    .along_columns = Vector3::UnitX(),
                                                                    .along_rows = options.along_rows,
                                                                    .width = options.spacing * (options.columns - 1),
                                                                    .height = options.spacing * (options.rows - 1)});
    physics::ClothModel model;
    model.mesh = cloth.mesh;
    model.start_positions = cloth.mesh.positions;
    model.grid = cloth.size;
    model.masses = VectorX::Constant(cloth.mesh.vertex_count(), options.mass);
    model.springs = physics::grid_springs(cloth, {.stretch = {options.stretch, options.damping},
                                                  .shear = {options.stretch, options.damping},
                                                  .bend = {options.bend, options.damping}});
    return model;
}

inline void pin(physics::ClothModel& model, std::vector<int> vertices, geometry::RigidMotion motion = {}) {
    model.pins.push_back({std::move(vertices), std::move(motion)});
}

// Particles along x, each joined to the next by a spring; the first is pinned on request.
inline physics::ClothModel chain(int particles, double spacing, double mass, double stiffness) {
    physics::ClothModel model;
    model.mesh.positions = Positions::Zero(particles, 3);
    model.mesh.triangles.resize(0, 3);
    model.masses = VectorX::Constant(particles, mass);
    model.springs.edges.resize(particles - 1, 2);
    for (int i = 0; i < particles; ++i) model.mesh.positions(i, 0) = spacing * i;
    model.start_positions = model.mesh.positions;
    for (int i = 0; i + 1 < particles; ++i) model.springs.edges.row(i) << i, i + 1;
    model.springs.rest_lengths = VectorX::Constant(particles - 1, spacing);
    model.springs.stiffness = VectorX::Constant(particles - 1, stiffness);
    model.springs.damping = VectorX::Zero(particles - 1);
    model.hinges.vertices.resize(0, 4);
    return model;
}

inline physics::ClothState at_rest(const physics::ClothModel& model) {
    return {model.start_positions, Velocities::Zero(model.vertex_count(), 3), 0};
}

inline Positions random_rows(int count, double amplitude, std::uint64_t seed) {
    Random random(seed);
    Positions rows(count, 3);
    for (double& value : rows.reshaped<Eigen::RowMajor>()) value = random.uniform(-amplitude, amplitude);
    return rows;
}

struct NamedSolver {
    std::string name;
    physics::SolverSettings settings;
};

// Every solver, the plain twins included.
inline std::vector<NamedSolver> all_solvers() {
    using namespace physics;
    return {{"admm", ProjectiveDynamicsSettings{}},
            {"admm, plain", ProjectiveDynamicsSettings{.reference = true}},
            {"admm, balanced", ProjectiveDynamicsSettings{.scheme = AdmmScheme::Balanced}},
            {"admm, balanced, plain", ProjectiveDynamicsSettings{.scheme = AdmmScheme::Balanced, .reference = true}},
            {"implicit_cg", ImplicitEulerSettings{.cg_tolerance = 1e-10}},
            {"mass_spring", MassSpringSettings{}},
            {"mass_spring, plain", MassSpringSettings{.reference = true}},
            {"xpbd", XpbdSettings{}},
            {"newton", NewtonSettings{}}};
}

}  // namespace tulle::test
