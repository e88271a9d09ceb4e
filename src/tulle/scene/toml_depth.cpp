// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/toml_depth.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::scene {

namespace {

// The first place after a text that begins at `begin`; one that does not end is for the parser to complain about.
size_t end_of_text(std::string_view text, size_t begin) {
    const std::string_view quote = text.substr(begin, 1);
    const std::string triple(3, quote[0]);
    const bool is_long = text.substr(begin, 3) == triple;
    size_t i = begin + (is_long ? 3 : 1);
    while (i < text.size()) {
        if (text[i] == '\\' && quote == "\"") {
            i += 2;
        } else if (is_long ? text.substr(i, 3) == triple : text.substr(i, 1) == quote) {
            return i + (is_long ? 3 : 1);
        } else if (!is_long && text[i] == '\n') {
            return i;
        } else {
            ++i;
        }
    }
    return text.size();
}

}  // namespace

void require_shallow_keys(std::string_view text, const std::string& source) {
    constexpr int deepest = 32;
    int dots = 0;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            i = end_of_text(text, i) - 1;
        } else if (c == '#') {
            i = std::min(text.find('\n', i), text.size()) - 1;
        } else if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) {
            dots = 0;
        } else if (c == '.' && ++dots > deepest) {
            const auto line = std::count(text.begin(), text.begin() + static_cast<long>(i), '\n') + 1;
            throw Error("{}:{}: a key is more than {} levels deep; no setting is", source, line, deepest);
        }
    }
}

}  // namespace tulle::scene
