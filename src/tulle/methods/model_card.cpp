// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/error.h"
#include "tulle/methods/trained_model.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tulle::methods {

using nlohmann::json;

std::string to_json(const ModelCard& card) {
    return json{{"method", card.method},
                {"scene", card.scene},
                {"factor", card.factor},
                {"features", to_string(card.features)},
                {"scaling", to_string(card.scaling)},
                {"calibration",
                 {{"mass", card.calibration.mass},
                  {"stretch", card.calibration.stretch},
                  {"bend", card.calibration.bend},
                  {"pin", card.calibration.pin}}},
                {"grid", {card.grid.rows, card.grid.columns}},
                {"layers", card.layers},
                {"activation", neural::to_string(card.activation)},
                {"data", card.data},
                {"command", card.command},
                {"date", card.date},
                {"training_minutes", card.training_minutes},
                {"test_error", card.test_error}}
        .dump(2);
}

ModelCard parse_card(const std::string& text, const std::string& source) {
    try {
        const json card = json::parse(text);
        const json& calibration = card.at("calibration");
        ModelCard result{.method = card.at("method"),
                         .scene = card.at("scene"),
                         .factor = card.at("factor"),
                         .features = parse_features(card.at("features")),
                         .scaling = parse_scaling(card.at("scaling")),
                         .calibration = {calibration.at("mass"), calibration.at("stretch"), calibration.at("bend"),
                                         calibration.value("pin", 1.0)},
                         .grid = {card.at("grid").at(0), card.at("grid").at(1)},
                         .layers = card.at("layers"),
                         .activation = neural::parse_activation(card.at("activation")),
                         .data = card.value("data", ""),
                         .command = card.value("command", ""),
                         .date = card.value("date", ""),
                         .training_minutes = card.value("training_minutes", 0.0),
                         .test_error = card.value("test_error", std::map<std::string, double>{})};
        const Calibration& c = result.calibration;
        if (result.factor < 2 || result.factor > 64) throw Error("its factor is {}", result.factor);
        const bool possible = c.mass > 0 && c.stretch > 0 && c.bend >= 0 && c.pin > 0;
        if (!possible || !(std::max({c.mass, c.stretch, c.bend, c.pin}) < 1e6))
            throw Error("its calibration is out of range ({}, {}, {}, {})", c.mass, c.stretch, c.bend, c.pin);
        return result;
    } catch (const json::exception& error) {
        throw Error("'{}' has a model card that cannot be understood: {}", source, error.what());
    } catch (const Error& error) {
        throw Error("'{}' has a model card that cannot be understood: {}", source, error.what());
    }
}

}  // namespace tulle::methods
