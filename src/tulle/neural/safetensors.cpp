// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/safetensors.h"

#include "tulle/core/error.h"
#include "tulle/neural/strict_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tulle::neural {

namespace {

using Json = nlohmann::ordered_json;
static_assert(std::endian::native == std::endian::little, "the file is little-endian and read as it is");

constexpr std::uint64_t largest_header = 100'000'000;  // the limit of the format's own reader

// Where a tensor is among the bytes after the header.
struct Range {
    std::string key;
    std::vector<std::uint64_t> shape;
    std::uint64_t begin = 0, end = 0;
    bool is_double = false;
};

std::string_view header_text(std::span<const std::byte> bytes, const std::string& source) {
    std::uint64_t size = 0;
    if (bytes.size() < sizeof size) throw Error("{}: is too short for a weights file ({} bytes)", source, bytes.size());
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size > largest_header)
        throw Error("{}: its header claims {} bytes, more than {}; it is not a weights file", source, size,
                    largest_header);
    if (size > bytes.size() - sizeof size)
        throw Error("{}: its header claims {} bytes but only {} follow; the file is cut off", source, size,
                    bytes.size() - sizeof size);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + sizeof size, size);
    if (text.empty() || text.front() != '{') throw Error("{}: its header does not begin with '{{'", source);
    return text;
}

std::map<std::string, std::string> read_metadata(const Json& json, const std::string& source) {
    if (!json.is_object()) throw Error("{}: __metadata__ is not a JSON object", source);
    std::map<std::string, std::string> metadata;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string()) throw Error("{}: __metadata__ has a '{}' that is not a text", source, shown(key));
        metadata[key] = value.get<std::string>();
    }
    return metadata;
}

std::vector<std::uint64_t> read_sizes(const Json& entry, const char* key, const std::string& name,
                                      const std::string& source) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_array()) throw Error("{}: tensor '{}' has no list '{}'", source, name, key);
    std::vector<std::uint64_t> sizes;
    for (const Json& size : *found) {
        if (!size.is_number_unsigned())
            throw Error("{}: '{}' of tensor '{}' has an entry that is not a whole number from 0", source, key, name);
        sizes.push_back(size.get<std::uint64_t>());
    }
    return sizes;
}

// Numbers of a tensor; sizes are checked one by one, because their product may exceed 64 bits.
std::uint64_t element_count(const std::vector<std::uint64_t>& shape, const std::string& name,
                            const std::string& source) {
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max() / sizeof(double);
    std::uint64_t count = 1;
    for (const std::uint64_t size : shape) {
        if (size > most || (size > 0 && count > most / size))
            throw Error("{}: the shape of tensor '{}' is too large", source, name);
        count *= size;
    }
    return count;
}

// Whether it is F64; if not, it is F32.
bool read_dtype(const Json& entry, const std::string& name, const std::string& source) {
    if (!entry.is_object()) throw Error("{}: the entry of tensor '{}' is not a JSON object", source, name);
    const auto dtype = entry.find("dtype");
    if (dtype == entry.end() || !dtype->is_string()) throw Error("{}: tensor '{}' has no 'dtype'", source, name);
    if (*dtype != "F32" && *dtype != "F64")
        throw Error("{}: tensor '{}' is of type '{}'; only F32 and F64 are supported", source, name,
                    shown(dtype->get<std::string>()));
    if (entry.size() != 3)
        throw Error("{}: the entry of tensor '{}' must have dtype, shape and data_offsets and nothing else", source,
                    name);
    return *dtype == "F64";
}

Range read_range(const std::string& key, const Json& entry, std::uint64_t available, const std::string& source) {
    const std::string name = shown(key);
    const bool is_double = read_dtype(entry, name, source);
    const std::vector<std::uint64_t> shape = read_sizes(entry, "shape", name, source);
    const std::vector<std::uint64_t> offsets = read_sizes(entry, "data_offsets", name, source);
    if (offsets.size() != 2) throw Error("{}: tensor '{}' has {} offsets, not 2", source, name, offsets.size());
    if (offsets[0] > offsets[1]) throw Error("{}: tensor '{}' ends before it begins", source, name);
    if (offsets[1] > available)
        throw Error("{}: tensor '{}' ends at byte {} of {}; the file is cut off", source, name, offsets[1], available);
    if (offsets[1] - offsets[0] != element_count(shape, name, source) * (is_double ? sizeof(double) : sizeof(float)))
        throw Error("{}: tensor '{}' has {} bytes, which do not fit its shape", source, name, offsets[1] - offsets[0]);
    return {key, shape, offsets[0], offsets[1], is_double};
}

Tensor read_tensor(const Range& range, std::span<const std::byte> data, const std::string& source) {
    const std::span<const std::byte> bytes = data.subspan(range.begin, range.end - range.begin);
    const auto read = [&](auto& values) {
        values.resize(bytes.size() / sizeof values[0]);
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
        if (!std::ranges::all_of(values, [](auto value) { return std::isfinite(value); }))
            throw Error("{}: tensor '{}' has a number that is not finite; train the network again", source,
                        shown(range.key));
    };
    Tensor tensor{{range.shape.begin(), range.shape.end()}, {}};
    range.is_double ? read(tensor.doubles) : read(tensor.values);
    return tensor;
}

void check_coverage(std::vector<Range> ranges, std::uint64_t available, const std::string& source) {
    std::ranges::sort(
        ranges, [](const Range& a, const Range& b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
    std::uint64_t covered = 0;
    for (const Range& range : ranges) {
        if (range.begin < covered) throw Error("{}: tensor '{}' overlaps the one before it", source, shown(range.key));
        if (range.begin > covered)
            throw Error("{}: there is a gap of {} bytes before tensor '{}'", source, range.begin - covered,
                        shown(range.key));
        covered = range.end;
    }
    if (covered != available)
        throw Error("{}: {} bytes after the last tensor belong to none", source, available - covered);
}

std::string_view bytes_of(const Tensor& tensor) {
    const auto view = [](const auto& values) -> std::string_view {
        return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
    };
    return tensor.doubles.empty() ? view(tensor.values) : view(tensor.doubles);
}

std::string header_of(const TensorFile& file) {
    Json header;
    header["__metadata__"] = file.metadata;
    std::uint64_t offset = 0;
    for (const auto& [name, tensor] : file.tensors) {
        const std::uint64_t end = offset + bytes_of(tensor).size();
        header[name] = {{"dtype", tensor.doubles.empty() ? "F32" : "F64"},
                        {"shape", tensor.shape},
                        {"data_offsets", {offset, end}}};
        offset = end;
    }
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors begin at a multiple of eight bytes
    return text;
}

}  // namespace

TensorFile parse_safetensors(std::span<const std::byte> bytes, const std::string& source) {
    const std::string_view text = header_text(bytes, source);
    const Json header = parse_strict_json(text, source, "the header");
    const std::span<const std::byte> data = bytes.subspan(sizeof(std::uint64_t) + text.size());
    TensorFile file;
    std::vector<Range> ranges;
    for (const auto& [key, entry] : header.items())
        if (key == "__metadata__")
            file.metadata = read_metadata(entry, source);
        else
            ranges.push_back(read_range(key, entry, data.size(), source));
    check_coverage(ranges, data.size(), source);  // before anything is copied: overlaps could ask for any memory
    for (const Range& range : ranges) file.tensors[range.key] = read_tensor(range, data, source);
    return file;
}

std::string format_safetensors(const TensorFile& file) {
    const std::string header = header_of(file);
    const std::uint64_t size = header.size();
    std::string bytes(sizeof size, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    bytes += header;
    for (const auto& [name, tensor] : file.tensors) bytes += bytes_of(tensor);
    return bytes;
}

}  // namespace tulle::neural
