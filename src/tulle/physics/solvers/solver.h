// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/contact_pass.h"
#include "tulle/core/error.h"
#include "tulle/physics/cloth_model.h"
#include "tulle/physics/solvers/settings.h"
#include "tulle/physics/stepper.h"
#include "tulle/physics/world.h"

#include <memory>

namespace tulle::physics {

// A step produced a number that is not finite.
struct Divergence : Error {
    Divergence(int first_vertex, double time)
        : Error("vertex {} left the finite numbers at {:.4g} s", first_vertex, time), vertex(first_vertex) {}
    int vertex;
};

// What every solver's step begins and ends with. The model and the world must outlive the solver.
class Solver : public Stepper {
public:
    StepReport advance(ClothState& state, double dt, int steps) override;

protected:
    Solver(const ClothModel& model, const World& world, ForceList forces);

    virtual void step(ClothState& state, double dt, StepReport& report) = 0;

    const ForceList& force_list() const { return forces_; }
    // Forces from outside, |V|×3 [N].
    Forces external_forces(const ClothState& state) const;
    // x̃ = x + Δt v + Δt² M⁻¹ f_ext, with drag on v and pinned vertices where they will be at the end of the step.
    Positions inertial_positions(const ClothState& state, double dt) const;
    // x̃ without the acceleration that all free vertices have in common, such as gravity: where a cloth that hangs at
    // rest stays, but one that moves through air is held back.
    Positions coasting_positions(const ClothState& state, const Positions& inertial, double dt) const;
    bool needs_contacts() const { return contacts_.is_needed(); }
    static void require_finite(const ClothState& state);  // throws Divergence
    // Takes the solver's answer through the shared contact pass and makes it the new state.
    void complete(ClothState& state, Positions positions, double dt, StepReport& report);

    const ClothModel& model_;
    const World& world_;
    const std::vector<bool> pinned_;  // |V|
    const VectorX inverse_masses_;    // |V| [1/kg], 0 where pinned

private:
    const ForceList forces_;
    collision::ContactPass contacts_;
};

std::unique_ptr<Stepper> make_solver(const ClothModel& model, const World& world, const SolverSettings& settings);
// The cloth feels these forces alone, in place of the world's gravity, wind and pressure.
std::unique_ptr<Stepper> make_solver(const ClothModel& model, const World& world, ForceList forces,
                                     const SolverSettings& settings);

// The longest step [s] at which `mass_spring` stays stable, with a margin.
double stable_explicit_step(const ClothModel& model);

}  // namespace tulle::physics
