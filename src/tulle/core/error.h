// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace tulle {

// What a person gave us cannot be used. The message is one sentence that names the place and says what to do.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}

    template <typename First, typename... Rest>
    Error(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest)
        : std::runtime_error(fmt::vformat(format, fmt::make_format_args(first, rest...))) {}
};

}  // namespace tulle
