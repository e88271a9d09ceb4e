// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"
#include "tulle/methods/model_card.h"

#include <nlohmann/json.hpp>

#include <string>

namespace tulle::methods {

// What `read` makes of the family's part of a card. Whatever is wrong with it, JSON or values, is an Error that names
// `source`.
template <typename Read>
auto read_family_part(const ModelCard& card, const std::string& source, const Read& read) {
    try {
        return read(nlohmann::json::parse(card.family));
    } catch (const nlohmann::json::exception& error) {
        refuse_card(source, error.what());
    } catch (const Error& error) {
        refuse_card(source, error.what());
    }
}

}  // namespace tulle::methods
