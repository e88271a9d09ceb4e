// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/families/family.h"

namespace tulle::scene {

// The physics solvers: `admm`, `implicit_cg`, `mass_spring`, `xpbd`, `newton`. A variant is a number of iterations.
class SolverFamily final : public Family {
public:
    std::vector<std::string> method_names() const override;
    std::string read_variant(const std::string& name, const std::string& variant) const override;
    void read_settings(TableReader& root, TableReader& solver, Scene& scene) const override;
    std::unique_ptr<physics::Stepper> make_stepper(const Run& run) const override;
    bool steps_are_shown() const override { return true; }
    int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const override;
    bool leaves_steps_open(const Scene& scene, const Method& method) const override;
    std::string steps_key(const Scene& scene, const Method& method) const override;
};

const std::vector<physics::SolverSettings>& all_solvers();  // one of each, with the default settings
std::vector<std::string> solver_names();

// The scene's settings of a solver, with the method's variant put in.
physics::SolverSettings solver_settings(const Scene& scene, const Method& method);

}  // namespace tulle::scene
