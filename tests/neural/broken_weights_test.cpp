// SPDX-License-Identifier: Apache-2.0
#include "tests/neural/support.h"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstring>
#include <functional>

using namespace tulle::neural;
using namespace tulle::neural::test;
using Json = nlohmann::ordered_json;

namespace {

// A weights file taken apart, so that a test can break one thing.
struct Parts {
    Json header;
    std::string data;
};

const Parts& sound_parts() {
    static const Parts parts = [] {
        const TemporaryFolder folder;
        write_model(folder / "a.safetensors", example_model());
        const std::string bytes = read_text(folder / "a.safetensors");
        std::uint64_t size = 0;
        std::memcpy(&size, bytes.data(), sizeof size);
        return Parts{Json::parse(bytes.substr(8, size)), bytes.substr(8 + size)};
    }();
    return parts;
}

std::string joined(const std::string& header, const std::string& data) {
    const std::uint64_t size = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    return bytes + header + data;
}

Model parse(const std::string& bytes) { return parse_model(std::as_bytes(std::span(bytes)), "b.safetensors"); }

std::string refusal(const std::string& bytes) {
    return error_of([&] { parse(bytes); }, "b.safetensors");
}

std::string refusal_after(const std::function<void(Parts&)>& breaking) {
    Parts parts = sound_parts();
    breaking(parts);
    return refusal(joined(parts.header.dump(), parts.data));
}

// The card of the file with one entry changed.
std::string refusal_of_card(const std::string& card) {
    return refusal_after([&](Parts& parts) { parts.header["__metadata__"]["card"] = card; });
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const size_t place = text.find(part);
    REQUIRE(place != std::string::npos);
    return text.replace(place, part.size(), by);
}

const std::string bias = "level.1.layers.0.bias", weight = "level.1.layers.0.weight";

}  // namespace

TEST_CASE("The file that the broken ones are made of is sound") {
    CHECK(parse(joined(sound_parts().header.dump(), sound_parts().data)).networks.size() == 2);
}

TEST_CASE("A file that is cut off anywhere is refused") {
    const std::string whole = joined(sound_parts().header.dump(), sound_parts().data);
    for (size_t size = 0; size < whole.size(); ++size) refusal(whole.substr(0, size));
}

TEST_CASE("A header of the wrong size is refused") {
    const std::string header = sound_parts().header.dump();
    CHECK(contains(refusal(""), "too short"));
    CHECK(contains(refusal(std::string(8, '\xff')), "more than 100000000"));
    std::string claims(8, '\0');
    claims[3] = 1;  // 16 MB
    CHECK(contains(refusal(claims + header), "cut off"));
    CHECK(contains(refusal(joined("", "")), "does not begin with"));
    CHECK(contains(refusal(joined(" " + header, sound_parts().data)), "does not begin with"));
    CHECK(contains(refusal(joined(header + "x", sound_parts().data)), "not valid JSON"));
    CHECK(contains(refusal(joined(header.substr(0, header.size() - 1), sound_parts().data)), "not valid JSON"));
}

TEST_CASE("Offsets that are out of order, overlap, leave gaps or end elsewhere are refused") {
    const auto offsets = [](Json begin, Json end) {
        return refusal_after([&](Parts& parts) { parts.header[bias]["data_offsets"] = {begin, end}; });
    };
    CHECK(contains(offsets(32, 0), "ends before it begins"));
    CHECK(contains(offsets(4, 36), "overlaps"));
    CHECK(contains(offsets(0, 100000), "cut off"));
    CHECK(contains(offsets(0, 28), "do not fit its shape"));
    CHECK(contains(offsets(-4, 28), "not a whole number"));
    CHECK(contains(offsets(0.5, 32), "not a whole number"));
    CHECK(contains(offsets("0", 32), "not a whole number"));
    CHECK(contains(offsets(nullptr, 32), "not a whole number"));
    CHECK(contains(offsets(18446744073709551615u, 32), "ends before"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header[bias]["data_offsets"] = {0, 32, 64}; }), "3 offsets"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header[bias].erase("data_offsets"); }), "nothing else"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header.erase(bias); }), "gap of 32 bytes"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.data += "abcd"; }), "belong to none"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.data.resize(parts.data.size() - 4); }), "cut off"));
}

TEST_CASE("Types and shapes that are unknown or too large are refused") {
    const auto with = [](const char* key, const Json& value) {
        return refusal_after([&](Parts& parts) { parts.header[weight][key] = value; });
    };
    for (const char* type : {"F16", "BF16", "I32", "f32", "", "F8_E4M3"})
        CHECK(contains(with("dtype", type), "only F32 and F64"));
    CHECK(contains(with("dtype", "F64"), "do not fit its shape"));
    CHECK(contains(with("dtype", 7), "no 'dtype'"));
    CHECK(contains(with("shape", {4294967296, 4294967296}), "too large"));
    CHECK(contains(with("shape", {4611686018427387904, 4}), "too large"));
    CHECK(contains(with("shape", {9223372036854775807, 9223372036854775807, 0}), "too large"));
    CHECK(contains(with("shape", {8, 7}), "do not fit"));
    CHECK(contains(with("shape", {-8, -6}), "not a whole number"));
    CHECK(contains(with("shape", "8x6"), "no list 'shape'"));
    CHECK(contains(with("shape", {48}), "1 dimensions, not 2"));
    CHECK(contains(with("shape", {2, 4, 6}), "3 dimensions, not 2"));
    CHECK(contains(with("shape", {6, 8}), "6 outputs but 8 biases"));
    CHECK(contains(with("extra", 1), "nothing else"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header[weight] = "F32"; }), "not a JSON object"));
}

TEST_CASE("An empty tensor is refused, whatever its other size") {
    CHECK(contains(refusal_after([](Parts& parts) {
                       parts.header["a.layers.0.weight"] = {
                           {"dtype", "F32"}, {"shape", {0, 1000000000000}}, {"data_offsets", {0, 0}}};
                   }),
                   "is empty"));
}

TEST_CASE("Numbers that are not finite and scales that are zero are refused") {
    const auto put = [](const std::string& tensor, float value) {
        return refusal_after([&](Parts& parts) {
            std::memcpy(parts.data.data() + parts.header[tensor]["data_offsets"][0].get<size_t>(), &value, 4);
        });
    };
    for (const float value : {NAN, INFINITY, -INFINITY}) CHECK(contains(put(weight, value), "not finite"));
    CHECK(contains(put("level.2.output_scale", NAN), "not finite"));
    CHECK(contains(put("level.2.output_scale", 0.0f), "output_scale has a zero"));
    CHECK(contains(put("level.2.input_scale", -0.0f), "input_scale has a zero"));
}

TEST_CASE("Tensors that are missing, too many or do not chain are refused") {
    const auto renamed = [](const std::string& from, const std::string& to) {
        return refusal_after([&](Parts& parts) {
            parts.header[to] = parts.header[from];
            parts.header.erase(from);
        });
    };
    for (const char* name : {"level.1.layers.0.bias", "level.1.layers.1.bias", "level.2.input_mean",
                             "level.2.input_scale", "level.2.output_mean", "level.2.output_scale"})
        CHECK(contains(renamed(name, "other"), std::string("'") + name + "' is missing"));
    CHECK(contains(renamed("level.1.layers.1.weight", "level.1.layers.2.weight"), "5 numbers where the layers need 8"));
    CHECK(contains(renamed("level.1.layers.0.weight", "level.1.layers.00.weight"), "belongs to no network"));
    CHECK(contains(renamed("level.1.layers.0.weight", ".layers.0.weight"), "no name for a network"));
    CHECK(contains(renamed("level.1.layers.0.weight", "../x.layers.0.weight"), "no name for a network"));
    CHECK(contains(renamed("level.1.layers.0.weight", "a\nb\x01.layers.0.weight"), "'a?b?'"));
    CHECK(contains(refusal_after([](Parts& parts) {
                       parts.header["extra"] = {{"dtype", "F32"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
                   }),
                   "'extra' belongs to no network"));
    CHECK(contains(refusal_after([](Parts& parts) {  // 8 outputs and 5×8 weights become 8 outputs and 8×5 weights
                       parts.header["level.1.layers.1.weight"]["shape"] = {8, 5};
                   }),
                   "8 outputs but 5 biases"));
    CHECK(contains(refusal_after([](Parts& parts) {
                       parts.data.clear();
                       parts.header = {{"__metadata__", parts.header["__metadata__"]}};
                   }),
                   "no tensor"));
}

TEST_CASE("Keys that occur twice and deep nesting are refused") {
    const std::string header = sound_parts().header.dump(), data = sound_parts().data;
    const auto with = [&](const std::string& part, const std::string& by) {
        return refusal(joined(replaced(header, part, by), data));
    };
    CHECK(contains(with("\"level.1.layers.0.bias\":", "\"level.1.layers.0.weight\":"), "twice"));
    CHECK(contains(with("\"dtype\":\"F32\"", "\"dtype\":\"F32\",\"dtype\":\"F32\""), "'dtype' occurs twice"));
    CHECK(contains(with("\"version\":", "\"version\":\"1\",\"version\":"), "'version' occurs twice"));
    const std::string deep(1'000'000, '[');
    CHECK(contains(with("\"F32\"", deep), "nested more than 32 levels"));
    CHECK(contains(refusal_of_card("{\"a\":" + deep), "nested more than 32 levels"));
    CHECK(contains(refusal_of_card(R"({"activation":"relu","activation":"leaky_relu"})"), "occurs twice"));
}

TEST_CASE("Metadata of another format, version or activation is refused") {
    const auto with = [](const char* key, const Json& value) {
        return refusal_after([&](Parts& parts) { parts.header["__metadata__"][key] = value; });
    };
    CHECK(contains(with("format", "pt"), "is a 'pt', not a tulle-model"));
    CHECK(contains(with("version", "3"), "version '3'"));
    CHECK(contains(with("version", 1), "not a text"));
    CHECK(contains(with("card", "{"), "not valid JSON"));
    CHECK(contains(with("card", "[1]"), "not a JSON object"));
    CHECK(contains(with("card", "{}"), "does not name an activation"));
    CHECK(contains(with("card", R"({"activation":3})"), "does not name an activation"));
    CHECK(contains(with("card", R"({"activation":"tanh"})"), "'tanh'"));
    for (const char* key : {"format", "version", "card"})
        CHECK(contains(refusal_after([&](Parts& parts) { parts.header["__metadata__"].erase(key); }),
                       std::string("no '") + key + "'"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header.erase("__metadata__"); }), "no 'format'"));
    CHECK(contains(refusal_after([](Parts& parts) { parts.header["__metadata__"] = 1; }), "not a JSON object"));
}
