// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"

#include <doctest/doctest.h>

#include <string>

namespace tulle::test {

// The message of the Error that `action` must throw.
template <typename Action>
std::string error_of(const Action& action) {
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The same; it is one line and names `source`.
template <typename Action>
std::string error_naming(const std::string& source, const Action& action) {
    const std::string message = error_of(action);
    CAPTURE(message);
    CHECK(contains(message, source));
    CHECK_FALSE(contains(message, "\n"));
    CHECK(message.size() < 400);
    return message;
}

}  // namespace tulle::test
