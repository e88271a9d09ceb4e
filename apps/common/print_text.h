// SPDX-License-Identifier: Apache-2.0
// Everything that a person reads is printed by this. Names of scenes, colliders and files come from outside; control
// characters in them, which can move a cursor, paint over lines or retitle a window, never reach the terminal.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

namespace tulle::app {

// The text with U+FFFD in place of control characters other than line feed and tab, and of what is not UTF-8.
std::string printable(std::string_view text);

template <typename... Arguments>
void print_text(std::FILE* file, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string text = printable(fmt::format(format, std::forward<Arguments>(arguments)...));
    std::fwrite(text.data(), 1, text.size(), file);
}

template <typename... Arguments>
void print_text(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    print_text(stdout, format, std::forward<Arguments>(arguments)...);
}

}  // namespace tulle::app
