// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"

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

}  // namespace tulle::test
