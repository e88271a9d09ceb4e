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

std::string Method::to_string() const {
    return fmt::format("{}{}{}{}{}", name, variant.empty() ? "" : ":", variant, quasistatic ? "+quasistatic" : "",
                       inextensible ? "+inextensible" : "");
}

Method parse_method(const std::string& whole) {
    const size_t plus = whole.find('+');
    const std::string text = whole.substr(0, plus);
    const size_t colon = text.find(':');
    Method method{.name = text.substr(0, colon), .variant = {}};
    for (size_t begin = plus; begin != std::string::npos;) {
        const size_t end = whole.find('+', begin + 1);
        const std::string projection = whole.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
        bool& wanted = projection == "inextensible" ? method.inextensible : method.quasistatic;
        if ((projection != "inextensible" && projection != "quasistatic") || wanted)
            throw Error("method '{}': what follows a plus is a projection, inextensible or quasistatic, each once",
                        whole);
        wanted = true;
        begin = end;
    }
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
