// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace tulle::io {

namespace {

constexpr std::uintmax_t size_limit = std::uintmax_t{1} << 30;  // [bytes] of a file
constexpr size_t most_numbers = 100'000'000;                    // of an accessor

std::uint32_t word_at(std::string_view bytes, size_t offset) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}

// Of a text after "data:…;base64,"; empty if it is none.
std::string decode_base64(std::string_view text) {
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    while (text.ends_with('=')) text.remove_suffix(1);
    for (const char c : text) {
        int value = -1;
        if (c >= 'A' && c <= 'Z') value = c - 'A';
        if (c >= 'a' && c <= 'z') value = c - 'a' + 26;
        if (c >= '0' && c <= '9') value = c - '0' + 52;
        if (c == '+') value = 62;
        if (c == '/') value = 63;
        if (value < 0) return {};
        bits = bits << 6 | static_cast<std::uint32_t>(value);
        if ((count += 6) < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<char>(bits >> count & 0xff));
    }
    return bytes;
}

// How glTF stores numbers.
struct ComponentType {
    size_t size = 0;
    double largest = 1;  // what 1 is stored as where integers are normalised
    double (*read)(const std::byte*) = nullptr;
};

template <typename Scalar>
double read_as(const std::byte* from) {
    Scalar value;
    std::memcpy(&value, from, sizeof value);
    return static_cast<double>(value);
}

template <typename Scalar>
ComponentType type_of() {
    const bool is_integer = std::numeric_limits<Scalar>::is_integer;
    return {sizeof(Scalar), is_integer ? static_cast<double>(std::numeric_limits<Scalar>::max()) : 1, read_as<Scalar>};
}

ComponentType component_type(std::int64_t code) {
    switch (code) {
        case 5120:
            return type_of<std::int8_t>();
        case 5121:
            return type_of<std::uint8_t>();
        case 5122:
            return type_of<std::int16_t>();
        case 5123:
            return type_of<std::uint16_t>();
        case 5125:
            return type_of<std::uint32_t>();
        case 5126:
            return type_of<float>();
        default:
            return {};
    }
}

const char* type_name(int components) {
    switch (components) {
        case 1:
            return "SCALAR";
        case 2:
            return "VEC2";
        case 3:
            return "VEC3";
        case 4:
            return "VEC4";
        default:
            return "MAT4";
    }
}

std::int64_t integer_or(const nlohmann::json& object, const char* key, std::int64_t fallback) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : fallback;
}

}  // namespace

GltfFile::GltfFile(const std::filesystem::path& path) : source_(path.string()) {
    std::string bytes = read_file(path, size_limit);
    std::string embedded;
    if (bytes.starts_with("glTF")) {
        // magic, version, length, then chunks: length, type, data. The first is JSON, the second the binary buffer.
        if (bytes.size() < 20 || word_at(bytes, 4) != 2) fail("is not a whole GLB file of version 2");
        const std::uint64_t json_end = 20 + std::uint64_t{word_at(bytes, 12)};
        if (word_at(bytes, 16) != 0x4E4F534A || json_end > bytes.size()) fail("has no whole JSON chunk");
        if (json_end + 8 <= bytes.size()) {
            const std::uint64_t size = word_at(bytes, json_end);
            if (json_end + 8 + size > bytes.size()) fail("has a binary chunk that is cut off");
            embedded = bytes.substr(json_end + 8, size);
        }
        bytes = bytes.substr(20, json_end - 20);
    }
    json_ = Json::parse(bytes, nullptr, /*allow_exceptions=*/false);
    if (!json_.is_object()) fail("is not a glTF file: its JSON cannot be read");
    for (const char* list : {"buffers", "bufferViews", "accessors", "nodes", "meshes", "skins", "animations"})
        for (size_t i = 0; i < count(list); ++i) (void)entry(list, i);
    read_buffers(path.parent_path(), std::move(embedded));
}

void GltfFile::fail(const std::string& problem) const { throw Error("'{}' {}", source_, problem); }

size_t GltfFile::count(const char* list) const {
    const auto found = json_.find(list);
    if (found == json_.end()) return 0;
    if (!found->is_array()) fail(std::string("has no list where '") + list + "' should be one");
    return found->size();
}

const GltfFile::Json& GltfFile::entry(const char* list, size_t index) const {
    if (index >= count(list)) fail(std::string("refers to an entry of '") + list + "' that is not there");
    const Json& object = json_.at(list).at(index);
    if (!object.is_object()) fail(std::string("has an entry of '") + list + "' that is no object");
    return object;
}

size_t GltfFile::index(const Json& object, const char* key, size_t count) const {
    const std::int64_t value = object.is_object() ? integer_or(object, key, -1) : -1;
    if (value < 0 || static_cast<size_t>(value) >= count)
        fail(std::string("has a '") + key + "' that is missing or refers to nothing");
    return static_cast<size_t>(value);
}

double GltfFile::number(const Json& value) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) fail("has a number that is none");
    return value.get<double>();
}

size_t GltfFile::size_of(const Json& object, const char* key, size_t fallback) const {
    if (!object.contains(key)) return fallback;
    const std::int64_t value = integer_or(object, key, -1);
    if (value < 0) fail(std::string("has a '") + key + "' that is no whole number");
    return static_cast<size_t>(value);
}

void GltfFile::read_buffers(const std::filesystem::path& folder, std::string embedded) {
    for (size_t i = 0; i < count("buffers"); ++i) {
        const Json& buffer = entry("buffers", i);
        const auto uri = buffer.find("uri");
        if (uri == buffer.end()) {
            buffers_.push_back(i == 0 ? embedded : std::string());
        } else if (!uri->is_string()) {
            fail("has a buffer whose 'uri' is no text");
        } else if (const auto text = uri->get<std::string>(); text.starts_with("data:")) {
            const size_t comma = text.find(";base64,");
            buffers_.push_back(comma == std::string::npos ? ""
                                                          : decode_base64(std::string_view(text).substr(comma + 8)));
        } else {
            const std::filesystem::path name(text);
            if (name.is_absolute() || text.find("..") != std::string::npos || text.find(':') != std::string::npos)
                fail("has a buffer outside of its folder");
            buffers_.push_back(read_file(folder / name, size_limit));
        }
        if (buffers_.back().size() < size_of(buffer, "byteLength", 0)) fail("has a buffer that is cut off");
    }
}

std::span<const std::byte> GltfFile::view(size_t index, size_t offset, size_t size) const {
    const Json& object = entry("bufferViews", index);
    const std::string& buffer = buffers_[this->index(object, "buffer", buffers_.size())];
    const size_t begin = size_of(object, "byteOffset", 0), length = size_of(object, "byteLength", 0);
    if (begin > buffer.size() || length > buffer.size() - begin || offset > length || size > length - offset)
        fail("has numbers outside of its buffers");
    return std::as_bytes(std::span(buffer)).subspan(begin + offset, size);
}

void GltfFile::read_elements(const Json& accessor, size_t view_index, size_t count, Numbers& into) const {
    const ComponentType type = component_type(integer_or(accessor, "componentType", 0));
    if (!type.read) fail("has an accessor of an unknown component type");
    if (count == 0) return;
    const size_t columns = static_cast<size_t>(into.cols()), width = columns * type.size;
    const size_t stride = size_of(entry("bufferViews", view_index), "byteStride", 0);
    const size_t step = stride == 0 ? width : stride;
    if (step < width) fail("has a 'byteStride' that does not fit");
    if (count - 1 > (size_limit - width) / step) fail("has numbers outside of its buffers");
    const auto bytes = view(view_index, size_of(accessor, "byteOffset", 0), (count - 1) * step + width);
    const double scale = accessor.value("normalized", Json(false)) == true ? 1 / type.largest : 1;
    for (size_t i = 0; i < count; ++i)
        for (size_t c = 0; c < columns; ++c) {
            const double value = scale * type.read(bytes.data() + i * step + c * type.size);
            into(static_cast<long>(i), static_cast<long>(c)) = scale < 1 ? std::max(value, -1.0) : value;
        }
}

// Elements that differ from the others, each with its place.
void GltfFile::read_sparse(const Json& accessor, Numbers& into) const {
    const Json& sparse = accessor.at("sparse");
    if (!sparse.is_object() || !sparse.contains("indices") || !sparse.contains("values"))
        fail("has a sparse accessor without its parts");
    const size_t changed = size_of(sparse, "count", 0);
    if (changed > static_cast<size_t>(into.rows())) fail("has a sparse accessor with too many elements");
    Numbers places(static_cast<long>(changed), 1), values(static_cast<long>(changed), into.cols());
    read_elements(sparse.at("indices"), index(sparse.at("indices"), "bufferView", count("bufferViews")), changed,
                  places);
    Json of_values = sparse.at("values");
    if (!of_values.is_object()) fail("has a sparse accessor without its parts");
    const size_t values_view = index(of_values, "bufferView", count("bufferViews"));
    of_values["componentType"] = accessor.value("componentType", Json(0));
    of_values["normalized"] = accessor.value("normalized", Json(false));
    read_elements(of_values, values_view, changed, values);
    for (long i = 0; i < places.rows(); ++i) {
        if (!(places(i) >= 0 && places(i) < static_cast<double>(into.rows())))
            fail("has a sparse accessor that changes an element that is not there");
        into.row(static_cast<long>(places(i))) = values.row(i);
    }
}

GltfFile::Numbers GltfFile::accessor(size_t index, int components) const {
    const Json& object = entry("accessors", index);
    if (object.value("type", Json()) != type_name(components))
        fail(std::string("has an accessor that should be of type ") + type_name(components));
    const size_t rows = size_of(object, "count", 0);
    if (rows == 0 || rows > most_numbers / static_cast<size_t>(components)) fail("has an accessor of a senseless size");
    Numbers numbers = Numbers::Zero(static_cast<long>(rows), components);
    if (object.contains("bufferView"))
        read_elements(object, this->index(object, "bufferView", count("bufferViews")), rows, numbers);
    if (object.contains("sparse")) read_sparse(object, numbers);
    if (!numbers.allFinite()) fail("has a number that is not finite");
    return numbers;
}

void GltfFile::refuse_compressed_meshes() const {
    for (size_t m = 0; m < count("meshes"); ++m) {
        const Json& mesh = entry("meshes", m);
        if (!mesh.contains("primitives") || !mesh.at("primitives").is_array()) fail("has a mesh without primitives");
        for (const Json& primitive : mesh.at("primitives"))
            if (primitive.is_object() && primitive.contains("extensions") && primitive.at("extensions").is_object())
                for (const char* name : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"})
                    if (primitive.at("extensions").contains(name))
                        fail(std::string("is compressed with ") + name + "; export it without");
    }
}

std::optional<GltfFile::Numbers> GltfFile::attribute(const Json& attributes, const std::string& name,
                                                     int components) const {
    if (!attributes.contains(name)) return {};
    return accessor(index(attributes, name.c_str(), count("accessors")), components);
}

std::vector<int> GltfFile::triangle_corners(const Json& primitive, size_t vertex_count) const {
    std::vector<int> corners;
    if (!primitive.contains("indices")) {
        for (size_t v = 0; v < vertex_count; ++v) corners.push_back(static_cast<int>(v));
    } else {
        const Numbers numbers = accessor(index(primitive, "indices", count("accessors")), 1);
        for (long i = 0; i < numbers.rows(); ++i) {
            if (!(numbers(i) >= 0 && numbers(i) < static_cast<double>(vertex_count)))
                fail("has a triangle with a vertex that is not there");
            corners.push_back(static_cast<int>(numbers(i)));
        }
    }
    if (corners.size() % 3 != 0) fail("has a mesh whose last triangle is not whole");
    return corners;
}

}  // namespace tulle::io
