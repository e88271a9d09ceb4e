// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/scene/families/family.h"

namespace tulle::scene {

// `garment`: the garment of the scene, inferred in every frame from the pose of the body, with the projection that its
// network was trained with; `garment:network` leaves that out.
class GarmentFamily final : public Family {
public:
    std::vector<std::string> method_names() const override { return {"garment"}; }
    std::string read_variant(const std::string& name, const std::string& variant) const override;
    void read_settings(TableReader& root, TableReader& solver, Scene& scene) const override;
    std::unique_ptr<physics::Stepper> make_stepper(const Run& run) const override;
    int steps_per_frame(const Scene&, const physics::ClothModel&, const Method&) const override { return 1; }
    std::string steps_key(const Scene&, const Method&) const override { return {}; }
    std::string advice(const Scene& scene, const Method& method) const override;
    std::string weights_key() const override { return "solver.garment.weights"; }
    bool simulates() const override { return false; }
    std::vector<std::string> trainable_methods() const override { return method_names(); }
    std::unique_ptr<Course> read_course(TableReader& recipe, const std::string& method,
                                        const std::string& name) const override;
    void check_card(const methods::ModelCard& card, const std::string& source) const override;
};

}  // namespace tulle::scene
