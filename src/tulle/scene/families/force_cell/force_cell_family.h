// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/force_cell/force_cell_model.h"
#include "tulle/scene/families/family.h"

namespace tulle::scene {

// `force_cell`: a network that is the physics step. Everything around it is as for a solver. `force_cell:8` takes eight
// steps of the physics at once.
class ForceCellFamily final : public Family {
public:
    std::vector<std::string> method_names() const override { return {"force_cell"}; }
    std::string read_variant(const std::string& name, const std::string& variant) const override;
    void read_settings(TableReader& root, TableReader& solver, Scene& scene) const override;
    std::unique_ptr<physics::Stepper> make_stepper(const Run& run) const override;
    int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const override;
    std::string steps_key(const Scene& scene, const Method& method) const override;
    std::string weights_key() const override { return "solver.force_cell.weights"; }
    std::vector<std::string> trainable_methods() const override { return method_names(); }
    std::unique_ptr<Course> read_course(TableReader& recipe, const std::string& method,
                                        const std::string& name) const override;
    void check_card(const methods::ModelCard& card, const std::string& source) const override;
};

// A cell made ready for a scene.
struct ReadyCell {
    methods::ForceCell cell;
    std::string note;  // what was done to make it fit; empty: nothing
};

// With the scene's material, or the one it was taught, as the scene says.
ReadyCell make_ready(const methods::ForceCellModel& model, const Scene& scene, const physics::ClothModel& cloth,
                     double dt);

// The cell of the weights that the scene names, or of the shipped ones, ready for the scene's material. `dt` [s].
methods::ForceCell load_cell_for(const Scene& scene, const physics::ClothModel& cloth, double dt);

}  // namespace tulle::scene
