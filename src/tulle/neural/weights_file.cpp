// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/weights_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/neural/strict_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tulle::neural {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_file = std::uintmax_t{2} << 30;
constexpr const char* format_name = "tulle-model";
constexpr const char* format_version = "2";
constexpr const char* older_version = "1";

const std::string& metadata_text(const TensorFile& file, const std::string& key, const std::string& source) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end())
        throw Error("{}: its metadata has no '{}'; it is not a model of tulle", source, key);
    return found->second;
}

void check_format(const TensorFile& file, const std::string& source) {
    const std::string& format = metadata_text(file, "format", source);
    if (format != format_name)
        throw Error("{}: is a '{}', not a {}; give a model that tulle has trained", source, shown(format), format_name);
    const std::string& version = metadata_text(file, "version", source);
    if (version != format_version && version != older_version)
        throw Error(
            "{}: has format version '{}' but this program reads versions {} and {}; use the program that wrote it",
            source, shown(version), older_version, format_version);
}

void check_before_writing(const std::string& name, const Tensor& tensor, const std::string& source) {
    long count = 1;
    for (const std::int64_t size : tensor.shape) count *= size;
    const auto numbers = static_cast<long>(tensor.values.size() + tensor.doubles.size());
    if (count != numbers || (!tensor.values.empty() && !tensor.doubles.empty()))
        throw Error("cannot write '{}': tensor '{}' has {} numbers, which do not fit its shape", source, name, numbers);
    const auto is_finite = [](auto value) { return std::isfinite(value); };
    if (!std::ranges::all_of(tensor.values, is_finite) || !std::ranges::all_of(tensor.doubles, is_finite))
        throw Error("cannot write '{}': tensor '{}' has a number that is not finite", source, name);
}

}  // namespace

WeightsFile parse_weights(std::span<const std::byte> bytes, const std::string& source) {
    TensorFile file = parse_safetensors(bytes, source);
    check_format(file, source);
    WeightsFile weights{source, metadata_text(file, "card", source), std::move(file.tensors)};
    static_cast<void>(parse_strict_json(weights.card, source, "the model card"));
    if (weights.tensors.empty()) throw Error("{}: there is no tensor in it", source);
    return weights;
}

WeightsFile read_weights(const fs::path& path) {
    std::error_code code;
    if (!fs::exists(path, code)) throw Error("there is no weights file '{}'", path.string());
    const std::string bytes = read_file(path, largest_file);
    return parse_weights(std::as_bytes(std::span(bytes)), path.string());
}

void write_weights(const fs::path& path, const WeightsFile& weights) {
    const std::string source = path.string();
    if (weights.tensors.empty()) throw Error("cannot write '{}': the model has no tensor", source);
    static_cast<void>(parse_strict_json(weights.card, source, "the model card"));
    for (const auto& [name, tensor] : weights.tensors) check_before_writing(name, tensor, source);
    const TensorFile file{.metadata = {{"format", format_name}, {"version", format_version}, {"card", weights.card}},
                          .tensors = weights.tensors};
    write_file(path, format_safetensors(file), weights_format);
}

}  // namespace tulle::neural
