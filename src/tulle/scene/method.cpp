// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/method.h"

#include "tulle/core/error.h"
#include "tulle/scene/families/families.h"
#include "tulle/scene/nearest.h"

#include <fmt/format.h>

namespace tulle::scene {

std::vector<std::string> method_names() {
    std::vector<std::string> names;
    for (const auto& family : families())
        for (const std::string& name : family->method_names()) names.push_back(name);
    return names;
}

Method parse_method(const std::string& text) {
    const size_t colon = text.find(':');
    Method method{.name = text.substr(0, colon), .variant = {}};
    const Family* family = find_family(method.name);
    if (!family) {
        const std::string guess = suggestion(method.name, method_names());
        throw Error("unknown method '{}'; the methods are {}{}", method.name, fmt::join(method_names(), ", "),
                    guess.starts_with("; did") ? guess : "");
    }
    if (colon != std::string::npos) method.variant = family->read_variant(method.name, text.substr(colon + 1));
    return method;
}

}  // namespace tulle::scene
