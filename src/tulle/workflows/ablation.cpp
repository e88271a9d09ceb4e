// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/ablation.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/upscaling/plan.h"

namespace tulle::workflows {

namespace {

void add_rows(const std::string& network, const std::string& scaling, std::vector<std::string>& methods) {
    for (const std::string& upscaling : {std::string("bilinear"), std::string("bicubic"), network})
        methods.push_back(upscaling + ":" + scaling);
}

}  // namespace

Ablation ablation_of(const scene::Scene& scene, const std::string& network) {
    const auto plan = [&](const char* scaling) {
        return scene::plan_upscaling(scene, scene::parse_method(fmt::format("{}:{}", network, scaling)));
    };
    Ablation ablation;
    scene::Overrides overrides = {fmt::format("upscaling.factor={}", plan("similarity").law.factor)};
    add_rows(network, "similarity", ablation.methods);
    try {
        const methods::Calibration found = plan("calibrated").law.calibration;
        overrides.push_back(
            fmt::format("upscaling.calibration={{mass={:.17e},stretch={:.17e},bend={:.17e},pin={:.17e}}}", found.mass,
                        found.stretch, found.bend, found.pin));
        add_rows(network, "calibrated", ablation.methods);
    } catch (const Error& error) {
        ablation.left_out = error.what();
    }
    ablation.scene = scene::parse_scene(scene.text, scene.source, scene.folder, overrides);
    return ablation;
}

}  // namespace tulle::workflows
