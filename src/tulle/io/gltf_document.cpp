// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_document.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <string_view>

namespace tulle::io {

namespace {

static_assert(std::endian::native == std::endian::little, "glTF buffers are little-endian");

constexpr int unsigned_short = 5123, unsigned_int = 5125, float_type = 5126;

std::uint64_t padded(std::uint64_t size) { return (size + 3) / 4 * 4; }

template <typename Value>
std::span<const std::byte> bytes_of(const std::vector<Value>& values) {
    return std::as_bytes(std::span(values));
}

std::string base64(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t count = std::min<size_t>(3, bytes.size() - i);
        std::uint32_t bits = 0;
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < count ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        for (size_t k = 0; k < 4; ++k) text += k <= count ? digits[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

}  // namespace

GltfDocument::Json GltfDocument::make_accessor(int component_type, int components, long count) {
    static const std::array<const char*, 5> names{"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return {{"componentType", component_type}, {"count", count}, {"type", names[static_cast<size_t>(components)]}};
}

void GltfDocument::set_bounds(Json& accessor, const Eigen::MatrixXd& rows) {
    for (long c = 0; c < rows.cols(); ++c) {
        accessor["min"].push_back(rows.col(c).minCoeff());
        accessor["max"].push_back(rows.col(c).maxCoeff());
    }
}

int GltfDocument::add_view(std::span<const std::byte> bytes, Use use, int stride) {
    Json view = {{"buffer", 0}, {"byteOffset", binary_.size()}, {"byteLength", bytes.size()}};
    if (use == Use::Vertices) view.update({{"byteStride", stride}, {"target", 34962}});
    if (use == Use::Indices) view["target"] = 34963;
    binary_.insert(binary_.end(), bytes.begin(), bytes.end());
    binary_.resize(padded(binary_.size()));
    views_.push_back(std::move(view));
    return static_cast<int>(views_.size()) - 1;
}

int GltfDocument::add_accessor(Json accessor) {
    accessors_.push_back(std::move(accessor));
    return static_cast<int>(accessors_.size()) - 1;
}

int GltfDocument::add_indices(const Triangles& triangles, long vertex_count) {
    // The largest 16-bit number may not be used as an index.
    const bool is_short = vertex_count < std::numeric_limits<std::uint16_t>::max();
    Json accessor = make_accessor(is_short ? unsigned_short : unsigned_int, 1, triangles.size());
    const auto first = triangles.data(), last = first + triangles.size();
    if (is_short)
        accessor["bufferView"] = add_view(bytes_of(std::vector<std::uint16_t>(first, last)), Use::Indices, 0);
    else
        accessor["bufferView"] = add_view(bytes_of(std::vector<std::uint32_t>(first, last)), Use::Indices, 0);
    return add_accessor(std::move(accessor));
}

int GltfDocument::add_series(const std::vector<float>& values, int components, bool with_bounds) {
    const long count = static_cast<long>(values.size()) / components;
    Json accessor = make_accessor(float_type, components, count);
    accessor["bufferView"] = add_view(bytes_of(values), Use::Other, 0);
    const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(
        values.data(), count, components);
    if (with_bounds) set_bounds(accessor, rows.cast<double>());
    return add_accessor(std::move(accessor));
}

int GltfDocument::add_sparse_ones(long count, const std::vector<std::uint32_t>& places) {
    Json accessor = make_accessor(float_type, 1, count);
    const int indices = add_view(bytes_of(places), Use::Other, 0);
    const int values = add_view(bytes_of(std::vector<float>(places.size(), 1.0F)), Use::Other, 0);
    accessor["sparse"] = {{"count", places.size()},
                          {"indices", {{"bufferView", indices}, {"componentType", unsigned_int}}},
                          {"values", {{"bufferView", values}}}};
    return add_accessor(std::move(accessor));
}

const FileFormat& gltf_format_of(const std::filesystem::path& target) {
    return target.extension() == ".gltf" ? own_gltf_format : glb_format;
}

void GltfDocument::write(const std::filesystem::path& target) {
    json["accessors"] = accessors_;
    json["bufferViews"] = views_;
    json["buffers"] = Json::array({{{"byteLength", binary_.size()}}});
    if (target.extension() == ".gltf")
        write_text(target);
    else
        write_binary(target);
}

void GltfDocument::write_text(const std::filesystem::path& target) {
    json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + base64(binary_);
    AtomicFile file(target, own_gltf_format);
    file.write(json.dump(-1, ' ', false, Json::error_handler_t::replace));
    file.commit();
}

void GltfDocument::write_binary(const std::filesystem::path& target) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    text.resize(padded(text.size()), ' ');
    const std::uint64_t size = 12 + 8 + text.size() + 8 + binary_.size();
    if (size > std::numeric_limits<std::uint32_t>::max())
        throw Error("cannot write '{}': it would need {} bytes, and a glTF file holds 4 GiB; export to usd",
                    target.string(), size);
    const auto word = [](std::uint64_t value) { return static_cast<std::uint32_t>(value); };
    const std::array<std::uint32_t, 5> head{0x46546C67, 2, word(size), word(text.size()),
                                            0x4E4F534A};                          // "glTF", "JSON"
    const std::array<std::uint32_t, 2> middle{word(binary_.size()), 0x004E4942};  // "BIN"
    AtomicFile file(target, glb_format);
    file.write_bytes(std::as_bytes(std::span(head)));
    file.write(text);
    file.write_bytes(std::as_bytes(std::span(middle)));
    file.write_bytes(binary_);
    file.commit();
}

}  // namespace tulle::io
