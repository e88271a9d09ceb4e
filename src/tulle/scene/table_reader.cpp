// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/table_reader.h"

#include "tulle/scene/toml_depth.h"

#include "tulle/scene/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tulle::scene {

namespace {

std::string joined(const std::string& prefix, const std::string& key) {
    return prefix.empty() ? key : prefix + "." + key;
}

std::string describe(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return fmt::format("a list of {}", node.as_array()->size());
        case toml::node_type::string:
            return fmt::format("the text \"{}\"", node.ref<std::string>());
        case toml::node_type::integer:
            return fmt::format("{}", node.ref<std::int64_t>());
        case toml::node_type::floating_point:
            return fmt::format("{}", node.ref<double>());
        case toml::node_type::boolean:
            return node.ref<bool>() ? "true" : "false";
        default:
            return "a date or time";
    }
}

std::string with_unit(double value, const char* unit) { return fmt::format("{}{}{}", value, *unit ? " " : "", unit); }

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& source) {
    require_shallow_keys(text, source);
    try {
        return toml::parse(text, source);
    } catch (const toml::parse_error& error) {
        throw Error("{}:{}: {}", source, error.source().begin.line, std::string(error.description()));
    }
}

TableReader::TableReader(Document& document, const toml::table& table)
    : TableReader(document, &table, "", "", document.source) {}

TableReader::TableReader(Document& document, const toml::table* table, std::string name, std::string path,
                         std::string where)
    : document_(document), table_(table), name_(std::move(name)), path_(std::move(path)), where_(std::move(where)) {}

const toml::node* TableReader::find(const std::string& key) {
    document_.known_keys.insert(joined(path_, key));
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.push_back(key);
    return table_ ? table_->get(key) : nullptr;
}

const toml::node& TableReader::require(const std::string& key) {
    if (const toml::node* node = find(key)) return *node;
    fail_if_misspelt(key);
    throw Error("{}: '{}' is missing in {}; add it", where_, key, label());
}

// A key that is missing may be there with a slip of the pen: say so instead of calling it missing.
void TableReader::fail_if_misspelt(const std::string& key) const {
    if (!table_) return;
    for (const auto& [other, node] : *table_) {
        const std::string word(other.str());
        if (edit_distance(word, key) == 1 && std::find(asked_.begin(), asked_.end(), word) == asked_.end())
            throw Error("{}: unknown key '{}' in {}; did you mean '{}'?", place_of(node), word, label(), key);
    }
}

// A value from an override carries the override's text as its source.
std::string TableReader::place_of(const toml::node& node) const {
    const auto& source = node.source();
    if (source.path && *source.path != document_.source) return *source.path;
    return source.begin.line > 0 ? fmt::format("{}:{}", document_.source, source.begin.line) : where_;
}

std::string TableReader::where() const { return where_; }
std::string TableReader::label() const { return name_.empty() ? "the file" : "[" + name_ + "]"; }

void TableReader::fail(const std::string& key, const std::string& problem) const {
    const toml::node* node = table_ ? table_->get(key) : nullptr;
    throw Error("{}: '{}' in {} {}", node ? place_of(*node) : where_, key, label(), problem);
}

void TableReader::fail_type(const std::string& key, const toml::node& node, const std::string& expected) const {
    throw Error("{}: '{}' in {} must be {}, not {}", place_of(node), key, label(), expected, describe(node));
}

bool TableReader::has(const std::string& key) { return find(key) != nullptr; }
bool TableReader::is_list(const std::string& key) { return has(key) && find(key)->is_array(); }
bool TableReader::is_text(const std::string& key) { return has(key) && find(key)->is_string(); }

double TableReader::check(const std::string& key, const toml::node& node, const NumberRule& rule) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value)
        fail_type(key, node, *rule.unit ? fmt::format("a number [{}]", rule.unit) : "a number");
    const auto out_of_range = [&](const std::string& limit) {
        throw Error("{}: '{}' in {} must be {}, not {}", place_of(node), key, label(), limit,
                    with_unit(*value, rule.unit));
    };
    if (!std::isfinite(*value)) out_of_range("a finite number");
    if (rule.positive && !(*value > 0)) out_of_range("greater than 0");
    if (*value < rule.min) out_of_range("at least " + with_unit(rule.min, rule.unit));
    if (*value > rule.max) out_of_range("at most " + with_unit(rule.max, rule.unit));
    return *value;
}

int TableReader::check(const std::string& key, const toml::node& node, const IntegerRule& rule) const {
    if (!node.is_integer()) fail_type(key, node, "a whole number");
    const std::int64_t value = node.ref<std::int64_t>();
    if (value < rule.min || value > rule.max)
        throw Error("{}: '{}' in {} must be {} {}, not {}", place_of(node), key, label(),
                    value < rule.min ? "at least" : "at most", value < rule.min ? rule.min : rule.max, value);
    return static_cast<int>(value);
}

double TableReader::number(const std::string& key, const NumberRule& rule) {
    if (rule.fallback && !has(key)) return *rule.fallback;
    return check(key, require(key), rule);
}

int TableReader::integer(const std::string& key, const IntegerRule& rule) {
    if (rule.fallback && !has(key)) return *rule.fallback;
    return check(key, require(key), rule);
}

std::uint64_t TableReader::seed(const std::string& key, std::uint64_t fallback) {
    if (!has(key)) return fallback;
    return static_cast<std::uint64_t>(check(key, require(key), IntegerRule{.min = 0}));
}

bool TableReader::boolean(const std::string& key, bool fallback) {
    if (!has(key)) return fallback;
    const toml::node& node = require(key);
    if (!node.is_boolean()) fail_type(key, node, "true or false");
    return node.ref<bool>();
}

std::string TableReader::text(const std::string& key, const std::optional<std::string>& fallback) {
    if (fallback && !has(key)) return *fallback;
    const toml::node& node = require(key);
    if (!node.is_string()) fail_type(key, node, "a text in quotes");
    return node.ref<std::string>();
}

const toml::array& TableReader::list(const std::string& key, const std::string& expected) {
    const toml::node& node = require(key);
    if (!node.is_array()) fail_type(key, node, expected);
    return *node.as_array();
}

Vector3 TableReader::vector(const std::string& key, const VectorRule& rule) {
    if (rule.fallback && !has(key)) return *rule.fallback;
    const std::string expected =
        *rule.unit ? fmt::format("a list of three numbers [{}]", rule.unit) : "a list of three numbers";
    const toml::array& elements = list(key, expected);
    if (elements.size() != 3) fail_type(key, elements, expected);
    Vector3 result;
    for (size_t i = 0; i < 3; ++i)
        result(static_cast<long>(i)) =
            check(key, elements[i], NumberRule{.unit = rule.unit, .positive = rule.positive});
    if (!rule.direction) return result;
    if (!(result.norm() > 0)) fail(key, "must be a direction, not zero");
    return result.stableNormalized();
}

std::vector<double> TableReader::numbers(const std::string& key, const NumberRule& rule) {
    std::vector<double> result;
    for (const toml::node& element : list(key, "a list of numbers")) result.push_back(check(key, element, rule));
    return result;
}

std::vector<double> TableReader::number_rows(const std::string& key, int columns) {
    std::vector<double> result;
    const auto wanted =
        columns == 1 ? std::string("a list of numbers") : fmt::format("a list of lists of {} numbers", columns);
    for (const toml::node& row : list(key, wanted)) {
        const toml::array* numbers = row.as_array();
        if (!numbers && columns == 1) {
            result.push_back(check(key, row, NumberRule{}));
            continue;
        }
        if (!numbers || static_cast<int>(numbers->size()) != columns) fail_type(key, row, wanted);
        for (const toml::node& number : *numbers) result.push_back(check(key, number, NumberRule{}));
    }
    return result;
}

std::vector<int> TableReader::integers(const std::string& key, const IntegerRule& rule) {
    std::vector<int> result;
    for (const toml::node& element : list(key, "a list of whole numbers")) result.push_back(check(key, element, rule));
    return result;
}

std::vector<std::string> TableReader::texts(const std::string& key) {
    std::vector<std::string> result;
    for (const toml::node& element : list(key, "a list of texts")) {
        if (!element.is_string()) fail_type(key, element, "a list of texts in quotes");
        result.push_back(element.ref<std::string>());
    }
    return result;
}

std::filesystem::path TableReader::file(const std::string& key) {
    const std::filesystem::path path = document_.folder / text(key);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        fail(key, fmt::format("names the file '{}', which does not exist", path.string()));
    return path;
}

TableReader TableReader::table(const std::string& key) {
    const toml::node* node = find(key);
    if (!node) fail_if_misspelt(key);
    if (node && !node->is_table()) fail_type(key, *node, "a table");
    return {document_, node ? node->as_table() : nullptr, joined(name_, key), joined(path_, key),
            node ? place_of(*node) : where_};
}

std::vector<std::string> TableReader::names() const {
    std::vector<std::string> result;
    if (table_)
        for (const auto& [name, node] : *table_) result.emplace_back(name.str());
    return result;
}

std::vector<TableReader> TableReader::tables(const std::string& key) {
    std::vector<TableReader> result;
    const toml::node* node = find(key);
    if (!node) return result;
    if (!node->is_array()) fail_type(key, *node, "a list of tables");
    for (const toml::node& element : *node->as_array()) {
        if (!element.is_table()) fail_type(key, element, "a list of tables");
        const std::string name = fmt::format("{}.{}", joined(name_, key), result.size());
        result.push_back({document_, element.as_table(), name, joined(path_, key), place_of(element)});
    }
    return result;
}

size_t TableReader::option_index(const std::string& key, const std::string& value,
                                 const std::vector<std::string>& names) const {
    const auto found = std::find(names.begin(), names.end(), value);
    if (found == names.end()) fail(key, fmt::format("cannot be \"{}\"{}", value, suggestion(value, names)));
    return static_cast<size_t>(found - names.begin());
}

std::string TableReader::exactly_one_of(const std::vector<std::string>& keys) {
    std::vector<std::string> given;
    for (const std::string& key : keys)
        if (has(key)) given.push_back(key);
    if (given.empty()) {
        for (const std::string& key : keys) fail_if_misspelt(key);
        throw Error("{}: {} needs one of {}", where_, label(), fmt::join(keys, ", "));
    }
    if (given.size() > 1) fail(given[1], fmt::format("contradicts '{}'; give one of them only", given[0]));
    return given.front();
}

void TableReader::exclude(const std::vector<std::string>& keys, const std::string& reason) {
    for (const std::string& key : keys)
        if (table_ && table_->contains(key)) fail(key, reason);
}

void TableReader::finish() const {
    if (!table_) return;
    for (const auto& [key, node] : *table_) {
        const std::string word(key.str());
        if (std::find(asked_.begin(), asked_.end(), word) == asked_.end())
            throw Error("{}: unknown key '{}' in {}{}", place_of(node), word, label(), suggestion(word, asked_));
    }
}

}  // namespace tulle::scene
