// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace tulle {

// What a person gave us cannot be used. The message is one sentence that names the place and says what to do.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& message) : std::runtime_error(message) {}

    template <typename First, typename... Rest>
    Error(fmt::format_string<First, Rest...> format, First&& first, Rest&&... rest)
        : std::runtime_error(fmt::format(format, std::forward<First>(first), std::forward<Rest>(rest)...)) {}
};

}  // namespace tulle
