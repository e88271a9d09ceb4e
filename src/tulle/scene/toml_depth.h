// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tulle::scene {

// Throws an Error if a header or a key of a TOML text, "a.b.c", is deeper than any of ours. The parser limits how deep
// values lie in each other but not these, and tables inside of tables are walked through by functions that call
// themselves: 50,000 levels would end the program.
void require_shallow_keys(std::string_view text, const std::string& source);

}  // namespace tulle::scene
