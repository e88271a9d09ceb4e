// SPDX-License-Identifier: Apache-2.0
#include "apps/common/print_text.h"

#include <array>
#include <cstdint>

namespace tulle::app {

namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0;  // [bytes]; 0: not UTF-8
};

// The first character of a text that is not empty.
Character first_character(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
    std::uint32_t code = lead & (0xFFu >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80) return {};
        code = code << 6 | (next & 0x3Fu);
    }
    constexpr std::array<std::uint32_t, 5> smallest = {0, 0, 0x80, 0x800, 0x10000};
    const bool is_surrogate = code >= 0xD800 && code < 0xE000;
    if (code < smallest[length] || code > 0x10FFFF || is_surrogate) return {};
    return {code, length};
}

bool is_control(std::uint32_t code) {
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0);
}

}  // namespace

std::string printable(std::string_view text) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const auto [code, length] = first_character(text);
        const bool is_shown = length > 0 && !is_control(code);
        result += is_shown ? text.substr(0, length) : replacement;
        text.remove_prefix(length > 0 ? length : 1);
    }
    return result;
}

}  // namespace tulle::app
