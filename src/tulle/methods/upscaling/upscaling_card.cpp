// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/upscaling_card.h"

#include "tulle/core/error.h"
#include "tulle/methods/family_part.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tulle::methods {

using nlohmann::json;

namespace {

std::map<std::string, Trust> read_trust(const json& card) {
    std::map<std::string, Trust> trust;
    if (card.contains("trust"))
        for (const auto& [network, of] : card.at("trust").items())
            trust[network] = {.bound_factor = of.at("bound_factor"), .caution = of.at("caution")};
    return trust;
}

UpscalingCard read(const json& card) {
    const json& calibration = card.at("calibration");
    return {.factor = card.at("factor"),
            .features = parse_features(card.at("features")),
            .scaling = parse_scaling(card.at("scaling")),
            .calibration = {calibration.at("mass"), calibration.at("stretch"), calibration.at("bend"),
                            calibration.value("pin", 1.0)},
            .corrects_coarse = card.value("corrects_coarse", false),
            .trust = read_trust(card),
            .grid = {card.at("grid").at(0), card.at("grid").at(1)}};
}

void check(const UpscalingCard& card) {
    if (card.factor < 2 || card.factor > 64) throw Error("its factor is {}", card.factor);
    const Calibration& c = card.calibration;
    const bool possible = c.mass > 0 && c.stretch > 0 && c.bend >= 0 && c.pin > 0;
    if (!possible || !(std::max({c.mass, c.stretch, c.bend, c.pin}) < 1e6))
        throw Error("its calibration is out of range ({}, {}, {}, {})", c.mass, c.stretch, c.bend, c.pin);
    for (const auto& [network, trust] : card.trust)
        if (!(trust.bound_factor > 0 && trust.bound_factor < 1e6f && trust.caution >= 0 && trust.caution < 1e6f))
            throw Error("its trust in '{}' is out of range ({}, {})", network, trust.bound_factor, trust.caution);
}

}  // namespace

std::string to_json(const UpscalingCard& card) {
    json trust = json::object();
    for (const auto& [network, of] : card.trust)
        trust[network] = {{"bound_factor", of.bound_factor}, {"caution", of.caution}};
    return json{{"factor", card.factor},
                {"features", to_string(card.features)},
                {"scaling", to_string(card.scaling)},
                {"calibration",
                 {{"mass", card.calibration.mass},
                  {"stretch", card.calibration.stretch},
                  {"bend", card.calibration.bend},
                  {"pin", card.calibration.pin}}},
                {"corrects_coarse", card.corrects_coarse},
                {"trust", trust},
                {"grid", {card.grid.rows, card.grid.columns}}}
        .dump();
}

UpscalingCard parse_upscaling_card(const ModelCard& card, const std::string& source) {
    return read_family_part(card, source, [](const json& text) {
        const UpscalingCard part = read(text);
        check(part);
        return part;
    });
}

}  // namespace tulle::methods
