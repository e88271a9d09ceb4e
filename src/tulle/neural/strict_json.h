// SPDX-License-Identifier: Apache-2.0
// JSON from files that a stranger may have written.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace tulle::neural {

// The object in `text`. Throws an Error that names `source` and `what` for bad syntax, a key that occurs twice in one
// object, more than 32 levels, and anything but an object.
nlohmann::ordered_json parse_strict_json(std::string_view text, const std::string& source, const std::string& what);

// A text of the file, fit to be shown in one line.
std::string shown(std::string_view text);

}  // namespace tulle::neural
