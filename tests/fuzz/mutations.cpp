// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutations.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>
#include <vector>

namespace tulle::fuzz {

namespace {

using Json = nlohmann::ordered_json;

struct Parts {
    std::string header, data;
};

size_t below(Random& random, size_t count) { return count == 0 ? 0 : random.bits() % count; }

template <typename List>
const auto& any(Random& random, const List& list) {
    return *std::next(std::begin(list), static_cast<long>(below(random, std::size(list))));
}

void change_bytes(std::string& bytes, Random& random) {
    for (size_t k = below(random, 8) + 1; k > 0 && !bytes.empty(); --k)
        bytes[below(random, bytes.size())] = static_cast<char>(random.bits());
}

void insert_token(std::string& text, Random& random) {
    static const std::vector<std::string> tokens = {"{",
                                                    "}",
                                                    "[",
                                                    "]",
                                                    ",",
                                                    ":",
                                                    "\"",
                                                    "\\",
                                                    "\\u0000",
                                                    "\\ud800",
                                                    "null",
                                                    "true",
                                                    "-",
                                                    "1e999",
                                                    "0",
                                                    "\xff",
                                                    "\xc3",
                                                    R"("dtype":"F32",)",
                                                    R"("shape":[],)",
                                                    R"("data_offsets":[0,0],)",
                                                    R"("__metadata__":{},)",
                                                    "//",
                                                    "\xef\xbb\xbf",
                                                    std::string(40, '['),
                                                    std::string(70'000, '['),
                                                    std::string(40, '{'),
                                                    std::string(1, '\0')};
    text.insert(below(random, text.size() + 1), any(random, tokens));
}

// Replaces one run of digits.
void change_number(std::string& text, Random& random) {
    static const std::vector<std::string> numbers = {"0",
                                                     "1",
                                                     "2",
                                                     "3",
                                                     "4",
                                                     "7",
                                                     "8",
                                                     "12",
                                                     "16",
                                                     "-1",
                                                     "0.5",
                                                     "1e3",
                                                     "4294967295",
                                                     "4294967296",
                                                     "2147483648",
                                                     "4611686018427387904",
                                                     "9223372036854775807",
                                                     "9223372036854775808",
                                                     "18446744073709551615",
                                                     "18446744073709551616",
                                                     "1e400",
                                                     "00",
                                                     "null",
                                                     "\"4\"",
                                                     "[4]"};
    const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
    const auto begin =
        std::find_if(text.begin() + static_cast<long>(below(random, text.size() + 1)), text.end(), is_digit);
    const auto end = std::find_if_not(begin, text.end(), is_digit);
    if (begin != end) text.replace(begin, end, any(random, numbers));
}

void repeat_piece(std::string& text, Random& random) {
    const size_t begin = below(random, text.size() + 1), size = below(random, 200);
    text.insert(below(random, text.size() + 1), text.substr(begin, size));
}

void erase_piece(std::string& text, Random& random) {
    text.erase(below(random, text.size() + 1), below(random, random.uniform() < 0.5 ? 8 : 200));
}

// Damages that leave the header valid JSON, so that they get past the parser.
void change_entry(Json& header, Random& random) {
    static const std::vector<Json> values = {nullptr,
                                             true,
                                             0,
                                             -1,
                                             1.5,
                                             "",
                                             "F32",
                                             "F16",
                                             "I64",
                                             "relu",
                                             "tulle-model",
                                             Json::array(),
                                             Json::object(),
                                             {0, 0},
                                             {2, 3},
                                             {3, 2},
                                             {1, 2, 3},
                                             {0, 18446744073709551615u},
                                             {4294967296, 4294967296},
                                             "{\"activation\":\"relu\"}",
                                             "{\"activation\":\"leaky_relu\",\"a\":[[[]]]}"};
    if (header.empty()) return;
    auto entry = std::next(header.begin(), static_cast<long>(below(random, header.size())));
    const std::string key = entry.key();
    switch (below(random, 5)) {
        case 0:
            header.erase(key);
            break;
        case 1:
            header[key + any(random, std::array{"x", ".bias", ".layers.0.weight", "\n"})] = Json(*entry);
            break;
        case 2:
            *entry = any(random, values);
            break;
        case 3:
            std::swap(*entry, *std::next(header.begin(), static_cast<long>(below(random, header.size()))));
            break;
        default:
            if (!entry->is_object() || entry->empty()) return;
            *std::next(entry->begin(), static_cast<long>(below(random, entry->size()))) = any(random, values);
    }
}

void change_json(std::string& text, Random& random) {
    Json header = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!header.is_object()) return change_bytes(text, random);
    for (size_t k = below(random, 3) + 1; k > 0; --k) change_entry(header, random);
    text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void change_float(std::string& data, Random& random) {
    static constexpr std::array values = {0.0f, -0.0f, 1e-45f, 3.4e38f, -3.4e38f, __builtin_nanf(""), __builtin_inff()};
    if (data.size() < 4) return;
    const float value = any(random, values);
    std::memcpy(data.data() + below(random, data.size() / 4) * 4, &value, 4);
}

void change_length(std::string& data, Random& random) {
    const size_t change = below(random, 64);
    data.resize(random.uniform() < 0.5 ? data.size() + change : data.size() - std::min(change, data.size()));
}

void damage(Parts& parts, Random& random) {
    switch (below(random, 9)) {
        case 0:
            return change_bytes(parts.header, random);
        case 1:
            return change_bytes(parts.data, random);
        case 2:
            return insert_token(parts.header, random);
        case 3:
            return change_number(parts.header, random);
        case 4:
            return repeat_piece(parts.header, random);
        case 5:
            return erase_piece(parts.header, random);
        case 6:
            return change_float(parts.data, random);
        case 7:
            return change_length(parts.data, random);
        default:
            return change_json(parts.header, random);
    }
}

}  // namespace

std::string damaged(const std::string& file, Random& random) {
    std::uint64_t size = 0;
    std::memcpy(&size, file.data(), sizeof size);
    Parts parts{file.substr(8, size), file.substr(8 + size)};
    for (size_t k = below(random, 4) + 1; k > 0; --k) damage(parts, random);
    size = parts.header.size();
    if (random.uniform() < 0.05)
        size = any(random, std::array{size + 1, size - 1, ~size, std::uint64_t{0}, random.bits()});
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    bytes += parts.header + parts.data;
    if (random.uniform() < 0.05) bytes.resize(below(random, bytes.size()));
    if (random.uniform() < 0.05) change_bytes(bytes, random);
    return bytes;
}

}  // namespace tulle::fuzz
