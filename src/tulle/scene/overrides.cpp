// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/overrides.h"

#include "tulle/core/error.h"
#include "tulle/scene/toml_depth.h"

#include <algorithm>
#include <charconv>

namespace tulle::scene {

namespace {

bool is_word(std::string_view value) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.' || c == '/' || c == ':';
    };
    return !value.empty() && std::all_of(value.begin(), value.end(), allowed);
}

// The override is itself a line of TOML. A shell eats quotes, so a bare word is taken as text.
toml::table parse_override(const std::string& setting) {
    const std::string source = "--set " + setting;
    const size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
        throw Error("{}: expected key=value, such as --set cloth.rows=33", source);
    if (setting.find('\n') != std::string::npos) throw Error("{}: expected one line", source);
    require_shallow_keys(setting, "--set");
    try {
        return toml::parse(setting, source);
    } catch (const toml::parse_error& error) {
        const std::string value = setting.substr(equals + 1);
        if (!is_word(value))
            throw Error("{}: '{}' is not a TOML value: {}", source, value, std::string(error.description()));
    }
    try {
        return toml::parse(setting.substr(0, equals + 1) + '"' + setting.substr(equals + 1) + '"', source);
    } catch (const toml::parse_error& error) {
        throw Error("{}: {}", source, std::string(error.description()));
    }
}

void merge(toml::table& target, toml::table&& changes, const std::string& source);

void merge_list(toml::array& target, toml::table&& changes, const std::string& source) {
    for (auto&& [key, change] : changes) {
        const std::string_view word = key.str();
        size_t index = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (error != std::errc() || end != word.data() + word.size())
            throw Error("{}: '{}' is not the number of a list element", source, word);
        if (index >= target.size())
            throw Error("{}: there is no element {}; the list has {}, counted from 0", source, index, target.size());
        if (target[index].is_table() && change.is_table())
            merge(*target[index].as_table(), std::move(*change.as_table()), source);
        else
            target.replace(target.cbegin() + static_cast<std::ptrdiff_t>(index), std::move(change));
    }
}

void merge(toml::table& target, toml::table&& changes, const std::string& source) {
    for (auto&& [key, change] : changes) {
        toml::node* present = target.get(key.str());
        if (present && present->is_table() && change.is_table())
            merge(*present->as_table(), std::move(*change.as_table()), source);
        else if (present && present->is_array() && change.is_table())
            merge_list(*present->as_array(), std::move(*change.as_table()), source);
        else
            target.insert_or_assign(key.str(), std::move(change));
    }
}

}  // namespace

void apply_overrides(toml::table& table, const std::vector<std::string>& overrides) {
    for (const std::string& setting : overrides) merge(table, parse_override(setting), "--set " + setting);
}

}  // namespace tulle::scene
