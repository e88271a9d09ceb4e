// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/self_contact.h"
#include "tulle/methods/garment/body_pressure.h"
#include "tulle/methods/garment/garment_system.h"
#include "tulle/physics/cloth_model.h"

namespace tulle::methods {

struct RestingGarmentSettings {
    double dt = 1.0 / 60;             // [s]
    double kept = 0.85;               // of the velocity, from step to step: longer steps are damped less per second
    double longest_way = 0.01;        // [m] of a vertex in a step, beyond that of the body
    Vector3 gravity = {0, 0, -9.81};  // [m/s²]
    BodyPressureSettings body;
    double layer_distance = 0.004;   // [m] nearer than this, layers of the garment press on each other
    double layer_softness = 0.0005;  // [m] nearer by this, e times as hard
    projections::BlockCgSettings linear = {.tolerance = 0.02, .max_iterations = 120};
};

// A garment on a body that moves slowly, on its way to rest. Inertia counts in the frame of the body and is taken away
// step by step: what is left in the end is equilibrium. In contrast to the solvers of `physics`, contact with the body
// and between layers is part of what each step solves, so that a garment does come to rest:
//
//   (M/Δt² + H) (x⁺ − y) = M/Δt² (x̃ − y) + f(y),   y = x + what the body carries along,   x̃ = y + kept · Δt v
//
// with all forces f at y (springs, bending, gravity, body, layers) and H, their stiffness made definite: one step of
// Newton's method on the implicit Euler step [Baraff and Witkin 1998]. A last pass lets no layer through another.
class RestingGarment {
public:
    // The model and the topology of the body must outlive it. The garment starts at `start`, |V|×3 [m].
    RestingGarment(const physics::ClothModel& model, const collision::ClosedTopology& body_topology,
                   const Positions& start, const Positions& body, const RestingGarmentSettings& settings = {});

    void step(const Positions& body);  // where the body is in the end
    void step();                       // the body stands still
    // From now on the garment bends so many times as hard as it does.
    void stiffen(double times) { stiffening_ = times; }
    void take_steps_of(double dt) { settings_.dt = dt; }  // [s]

    const Positions& positions() const { return positions_; }
    // [m/s] relative to the body
    double speed() const { return velocities_.rowwise().norm().maxCoeff(); }
    double mean_speed() const { return velocities_.rowwise().norm().mean(); }

private:
    void advance(const Positions& carried_to);
    // Each adds its forces [N] at x, and to the system its stiffness.
    void add_springs(const Positions& x, Positions& forces);
    void add_bending(const Positions& x, Positions& forces);
    void add_body(const Positions& x, Positions& forces);
    void add_layers(const Positions& x, Positions& forces);

    const physics::ClothModel& model_;
    RestingGarmentSettings settings_;
    numerics::SparseMatrix bending_;
    double stiffening_ = 1;  // of bending
    GarmentSystem system_;
    std::vector<long> pair_of_spring_;
    std::vector<long> pair_of_bending_;  // of the entries of its matrix that are above the diagonal, in their order
    BodyPressure body_;
    collision::ClothParts parts_;
    collision::SelfDetection layers_;
    collision::SelfContact never_through_;
    Positions positions_;
    Velocities velocities_;  // relative to the body
};

}  // namespace tulle::methods
