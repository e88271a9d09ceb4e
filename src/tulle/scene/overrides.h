// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <toml++/toml.h>

#include <string>
#include <vector>

namespace tulle::scene {

// Puts "key.subkey=value" settings into a table; a number between dots picks an element of a list. What comes from an
// override keeps "--set key.subkey=value" as its source, so that later messages name it instead of a line.
void apply_overrides(toml::table& table, const std::vector<std::string>& overrides);

}  // namespace tulle::scene
