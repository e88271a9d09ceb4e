// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/upscaling_kind.h"
#include "tulle/scene/families/family.h"

namespace tulle::scene {

// Methods that simulate a coarser cloth and make it fine: `miniature`, `hierarchy`, the interpolations, and `cascade`,
// which is several of them one after the other. `miniature:paper` has the paper's features and scaling instead of ours;
// `bicubic:similarity` and `bicubic:calibrated` say which coarse cloth it shows.
class UpscalingFamily final : public Family {
public:
    std::vector<std::string> method_names() const override;
    std::string read_variant(const std::string& name, const std::string& variant) const override;
    void read_settings(TableReader& root, TableReader& solver, Scene& scene) const override;
    std::unique_ptr<physics::Stepper> make_stepper(const Run& run) const override;
    int steps_per_frame(const Scene& scene, const physics::ClothModel& model, const Method& method) const override;
    bool leaves_steps_open(const Scene& scene, const Method& method) const override;
    std::string steps_key(const Scene& scene, const Method& method) const override;
    std::string advice(const Scene& scene, const Method& method) const override;
    std::string weights_key() const override { return "upscaling.weights"; }
    std::optional<Teacher> teacher(const Run& run) const override;
    std::vector<std::string> trainable_methods() const override;
    std::unique_ptr<Course> read_course(TableReader& recipe, const std::string& method,
                                        const std::string& name) const override;
    void check_card(const methods::ModelCard& card, const std::string& source) const override;
};

// The upscaler of a scene and one of the family's methods by itself, for coarse cloths from any other simulator.
std::unique_ptr<const methods::Upscaler> load_upscaler(const Scene& scene, const Method& method);

inline constexpr const char* cascade_name = "cascade";
inline bool is_paper(const Method& method) { return method.variant == "paper"; }

}  // namespace tulle::scene
