// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/textile/textile.h"

#include "tulle/core/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tulle::workflows {

namespace {

const scene::FabricPreset& find_preset(const std::string& name) {
    std::string names;
    for (const scene::FabricPreset& preset : scene::fabric_presets()) {
        if (preset.name == name) return preset;
        names += (names.empty() ? "" : ", ") + preset.name;
    }
    throw Error("there is no fabric '{}'; the fabrics are {}", name, names);
}

}  // namespace

TextileReport test_textiles(const TextileSettings& settings) {
    TextileReport report;
    for (const std::string& name : settings.fabrics) report.fabrics.push_back({.preset = find_preset(name)});
    for (FabricReport& fabric : report.fabrics) {
        const auto settle_as = [&](const std::string& what) {
            SettleSettings settle;
            if (settings.on_step)
                settle.on_step = [&on_step = settings.on_step, what](double t) { return on_step(what, t); };
            return settle;
        };
        const std::string& name = fabric.preset.name;
        SettleSettings strip = settle_as(name + ", cantilever");
        strip.dt = 0.002;
        fabric.cantilever = cantilever_test(fabric.preset.fabric, 16, strip);
        report.stopped = report.stopped || fabric.cantilever.stopped;
        for (const double spacing : settings.spacings) {
            if (report.stopped) return report;
            fabric.drapes.push_back(drape_test(fabric.preset.fabric, {.spacing = spacing},
                                               settle_as(fmt::format("{}, drape at {} mm", name, 1000 * spacing))));
            report.stopped = fabric.drapes.back().stopped;
        }
    }
    return report;
}

std::string to_table(const TextileReport& report) {
    std::string text;
    for (const FabricReport& fabric : report.fabrics) {
        const scene::Fabric& material = fabric.preset.fabric;
        const CantileverResult& strip = fabric.cantilever;
        text += fmt::format(
            "{}: {:.0f} g/m², rigidity {:.3g} N m\n"
            "  cantilever, 41.5 degrees: bending length {:.2f} cm, rigidity w c³ = {:.3g} N m ({:+.1f} %)\n",
            fabric.preset.name, 1000 * material.density, material.bending, 100 * strip.bending_length, strip.rigidity,
            100 * (strip.rigidity / material.bending - 1));
        for (const DrapeResult& drape : fabric.drapes)
            text += fmt::format(
                "  drape, 30 on 18 cm, threads every {:.1f} mm ({} particles): coefficient {:.1f} %, {} folds{}\n",
                1000 * drape.spacing, drape.particles, 100 * drape.coefficient, fmt::join(drape.folds, ", "),
                drape.rest_speed > SettleSettings{}.rest_speed
                    ? fmt::format(", still moving at {:.1e} m/s", drape.rest_speed)
                    : "");
    }
    return text;
}

std::string to_json(const TextileReport& report) {
    nlohmann::ordered_json fabrics = nlohmann::ordered_json::array();
    for (const FabricReport& fabric : report.fabrics) {
        nlohmann::ordered_json drapes = nlohmann::ordered_json::array();
        for (const DrapeResult& drape : fabric.drapes)
            drapes.push_back({{"spacing", drape.spacing},
                              {"particles", drape.particles},
                              {"drape_coefficient", drape.coefficient},
                              {"of_specimens", drape.coefficients},
                              {"folds", drape.folds},
                              {"rest_speed", drape.rest_speed}});
        const scene::Fabric& material = fabric.preset.fabric;
        const CantileverResult& strip = fabric.cantilever;
        fabrics.push_back({{"fabric", fabric.preset.name},
                           {"density", material.density},
                           {"rigidity", material.bending},
                           {"cantilever",
                            {{"bending_length", strip.bending_length},
                             {"rigidity", strip.rigidity},
                             {"rigidity_by_elastica", strip.exact_rigidity},
                             {"angle", strip.angle},
                             {"rest_speed", strip.rest_speed}}},
                           {"drape", drapes}});
    }
    return nlohmann::ordered_json{{"fabrics", fabrics}}.dump(2);
}

}  // namespace tulle::workflows
