// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/strict_json.h"

#include "tulle/core/error.h"

#include <nlohmann/json.hpp>

#include <set>
#include <vector>

namespace tulle::neural {

namespace {

using Json = nlohmann::ordered_json;

// Watches the parser: it would keep one of two equal keys without a word, and take any depth.
class Guard {
public:
    Guard(const std::string& source, const std::string& what) : source_(source), what_(what) {}

    bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
        using Event = Json::parse_event_t;
        if (depth > deepest) throw Error("{}: {} is nested more than {} levels deep", source_, what_, deepest);
        if (event == Event::object_start) keys_.emplace_back();
        if (event == Event::object_end) keys_.pop_back();
        if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second)
            throw Error("{}: '{}' occurs twice in {}", source_, shown(parsed.get<std::string>()), what_);
        return true;
    }

private:
    static constexpr int deepest = 32;
    const std::string& source_;
    const std::string& what_;
    std::vector<std::set<std::string>> keys_;  // of every object that is open
};

}  // namespace

Json parse_strict_json(std::string_view text, const std::string& source, const std::string& what) {
    Guard guard(source, what);
    Json json;
    try {
        const Json::parser_callback_t callback = [&](int depth, Json::parse_event_t event, Json& parsed) {
            return guard(depth, event, parsed);
        };
        json = Json::parse(text, callback);
    } catch (const Json::exception&) {
        throw Error("{}: {} is not valid JSON", source, what);
    }
    if (!json.is_object()) throw Error("{}: {} is not a JSON object", source, what);
    return json;
}

std::string shown(std::string_view text) {
    constexpr size_t longest = 60;
    std::string line(text.substr(0, longest));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
    return text.size() > longest ? line + "…" : line;
}

}  // namespace tulle::neural
