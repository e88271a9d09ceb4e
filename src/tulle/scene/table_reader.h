// SPDX-License-Identifier: Apache-2.0
// Reads one table of a scene file. Each question names a key and what its value may be; together the questions are the
// schema, so finish() can call every other key an error and name the nearest one that was asked for.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/error.h"

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tulle::scene {

// Throws an Error that names the line.
toml::table parse_toml(const std::string& text, const std::string& source);

// What all tables of one file share.
struct Document {
    std::string source;
    std::filesystem::path folder;      // what file names are relative to
    std::set<std::string> known_keys;  // every key asked for, such as "cloth.stretch.stiffness"
};

struct NumberRule {
    const char* unit = "";
    double min = -1e15;
    double max = 1e15;
    bool positive = false;                // zero is out of range too
    std::optional<double> fallback = {};  // none: the key is required
};

struct IntegerRule {
    int min = std::numeric_limits<int>::min();
    int max = std::numeric_limits<int>::max();
    std::optional<int> fallback = {};
};

struct VectorRule {
    const char* unit = "";
    bool direction = false;  // must not be zero; is returned with length 1
    bool positive = false;
    std::optional<Vector3> fallback = {};
};

class TableReader {
public:
    TableReader(Document& document, const toml::table& table);  // the whole file

    bool has(const std::string& key);
    double number(const std::string& key, const NumberRule& rule);
    int integer(const std::string& key, const IntegerRule& rule);
    std::uint64_t seed(const std::string& key, std::uint64_t fallback);
    bool boolean(const std::string& key, bool fallback);
    std::string text(const std::string& key, const std::optional<std::string>& fallback = {});
    Vector3 vector(const std::string& key, const VectorRule& rule);
    std::vector<double> numbers(const std::string& key, const NumberRule& rule);  // a list; each is checked
    std::vector<double> number_rows(const std::string& key, int columns);  // a list of such lists, one after the other
    std::vector<int> integers(const std::string& key, const IntegerRule& rule);
    std::vector<std::string> texts(const std::string& key);
    std::filesystem::path file(const std::string& key);  // that exists

    template <typename Value>
    Value choice(const std::string& key, const std::vector<std::pair<std::string, Value>>& options,
                 const std::optional<Value>& fallback = {}) {
        if (fallback && !has(key)) return *fallback;
        return options[option_index(key, text(key), option_names(options))].second;
    }

    // A value by its name, as `parse(name)` reads it, or the fallback.
    template <typename Value, typename Parse>
    Value named(const std::string& key, Value fallback, const Parse& parse) {
        if (!has(key)) return fallback;
        const std::string name = text(key);
        try {
            return parse(name);
        } catch (const Error& error) {
            fail(key, std::string("is wrong: ") + error.what());
        }
    }

    template <typename Value>
    std::vector<Value> choices(const std::string& key, const std::vector<std::pair<std::string, Value>>& options) {
        std::vector<Value> result;
        for (const std::string& value : texts(key))
            result.push_back(options[option_index(key, value, option_names(options))].second);
        return result;
    }

    std::vector<std::string> names() const;     // of all its keys, for tables whose keys are names of something
    TableReader table(const std::string& key);  // an empty one if the key is absent
    std::vector<TableReader> tables(const std::string& key);  // none if the key is absent

    // The one of these keys that the table has.
    std::string exactly_one_of(const std::vector<std::string>& keys);
    // These keys are known elsewhere but make no sense here.
    void exclude(const std::vector<std::string>& keys, const std::string& reason);
    void finish() const;

    bool is_list(const std::string& key);
    bool is_text(const std::string& key);
    std::string where() const;                                                // "scenes/flag.toml:12"
    const std::filesystem::path& folder() const { return document_.folder; }  // what file names are relative to
    [[noreturn]] void fail(const std::string& key, const std::string& problem) const;

private:
    TableReader(Document& document, const toml::table* table, std::string name, std::string path, std::string where);

    const toml::node* find(const std::string& key);
    const toml::node& require(const std::string& key);
    std::string label() const;
    void fail_if_misspelt(const std::string& key) const;
    std::string place_of(const toml::node& node) const;
    [[noreturn]] void fail_type(const std::string& key, const toml::node& node, const std::string& expected) const;
    double check(const std::string& key, const toml::node& node, const NumberRule& rule) const;
    int check(const std::string& key, const toml::node& node, const IntegerRule& rule) const;
    const toml::array& list(const std::string& key, const std::string& expected);
    size_t option_index(const std::string& key, const std::string& value, const std::vector<std::string>& names) const;

    template <typename Value>
    static std::vector<std::string> option_names(const std::vector<std::pair<std::string, Value>>& options) {
        std::vector<std::string> names;
        names.reserve(options.size());
        for (const auto& [name, value] : options) names.push_back(name);
        return names;
    }

    Document& document_;
    const toml::table* table_;  // null: absent, every key has its fallback
    std::string name_;          // for messages: "cloth.stretch", "pins.0"
    std::string path_;          // for known_keys: "pins" for every element of the list
    std::string where_;
    std::vector<std::string> asked_;
};

}  // namespace tulle::scene
