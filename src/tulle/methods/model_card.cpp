// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/model_card.h"

#include "tulle/core/error.h"

#include <nlohmann/json.hpp>

namespace tulle::methods {

using nlohmann::json;

std::string to_json(const ModelCard& card) {
    return json{{"method", card.method},
                {"scene", card.scene},
                {"data", card.data},
                {"command", card.command},
                {"date", card.date},
                {"training_minutes", card.training_minutes},
                {"test_error", card.test_error},
                {"family", json::parse(card.family)}}
        .dump(2);
}

ModelCard parse_card(const std::string& text, const std::string& source) {
    try {
        const json card = json::parse(text);
        return {.method = card.at("method"),
                .scene = card.at("scene"),
                .data = card.value("data", ""),
                .command = card.value("command", ""),
                .date = card.value("date", ""),
                .training_minutes = card.value("training_minutes", 0.0),
                .test_error = card.value("test_error", std::map<std::string, double>{}),
                .family = card.value("family", card).dump()};  // version 1: beside the others
    } catch (const json::exception& error) {
        refuse_card(source, error.what());
    }
}

void refuse_card(const std::string& source, const std::string& reason) {
    throw Error("'{}' has a model card that cannot be understood: {}", source, reason);
}

}  // namespace tulle::methods
