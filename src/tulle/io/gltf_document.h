// SPDX-License-Identifier: Apache-2.0
// A glTF document and its binary buffer while they grow. Only for the .cpp files of this folder.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/file_format.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tulle::io {

inline constexpr FileFormat glb_format{"a glTF file (GLB)", "glTF"};
inline constexpr FileFormat own_gltf_format{"a glTF file that Tulle wrote",
                                            "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Tulle"};

// By the extension: .gltf is text, anything else binary.
const FileFormat& gltf_format_of(const std::filesystem::path& target);

class GltfDocument {
public:
    using Json = nlohmann::ordered_json;
    enum class Use { Vertices, Indices, Other };

    Json json;  // everything but accessors, bufferViews and buffers

    // All of these return the index of the accessor. `rows` is stored as it is; of its columns the first `components`
    // count and the others are padding. Integers are normalised: the largest means 1.
    template <typename Scalar, int Columns>
    int add_vertices(const Rows<Scalar, Columns>& rows, int components, bool with_bounds) {
        const int view = add_view(std::as_bytes(std::span(rows.data(), static_cast<size_t>(rows.size()))),
                                  Use::Vertices, Columns * static_cast<int>(sizeof(Scalar)));
        Json accessor = make_accessor(component_type<Scalar>(), components, rows.rows());
        accessor["bufferView"] = view;
        if (!std::is_floating_point_v<Scalar>) accessor["normalized"] = true;
        if (with_bounds) set_bounds(accessor, rows.leftCols(components).template cast<double>());
        return add_accessor(std::move(accessor));
    }
    int add_indices(const Triangles& triangles, long vertex_count);
    int add_series(const std::vector<float>& values, int components, bool with_bounds);  // for animations
    // Zeros but for ones at the given places.
    int add_sparse_ones(long count, const std::vector<std::uint32_t>& places);

    // Text with the buffer inside if the target is called .gltf. Throws an Error if the file would be larger than the
    // format allows or cannot be written.
    void write(const std::filesystem::path& target);

private:
    void write_binary(const std::filesystem::path& target);
    void write_text(const std::filesystem::path& target);
    template <typename Scalar>
    static constexpr int component_type() {
        if constexpr (std::is_same_v<Scalar, std::int8_t>) return 5120;
        if constexpr (std::is_same_v<Scalar, std::int16_t>) return 5122;
        return 5126;
    }
    static Json make_accessor(int component_type, int components, long count);
    static void set_bounds(Json& accessor, const Eigen::MatrixXd& rows);
    int add_view(std::span<const std::byte> bytes, Use use, int stride);
    int add_accessor(Json accessor);

    std::vector<std::byte> binary_;
    Json accessors_ = Json::array();
    Json views_ = Json::array();
};

}  // namespace tulle::io
