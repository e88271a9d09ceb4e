// SPDX-License-Identifier: Apache-2.0
// A glTF file (.glb or .gltf) that somebody else wrote: its JSON and its numbers, every access checked. Only for the
// .cpp files of this folder.
#pragma once

#include <Eigen/Core>
#include <nlohmann/json.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tulle::io {

class GltfFile {
public:
    using Json = nlohmann::json;
    using Numbers = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

    // Throws an Error that names the file unless container, JSON and buffers are sound.
    explicit GltfFile(const std::filesystem::path& path);

    const std::string& source() const { return source_; }
    size_t count(const char* list) const;                                   // of "nodes", say
    const Json& entry(const char* list, size_t index) const;                // an object
    size_t index(const Json& object, const char* key, size_t count) const;  // required, below `count`
    double number(const Json& value) const;                                 // finite
    // The rows of an accessor with so many components each; integers that are normalised become fractions.
    Numbers accessor(size_t index, int components) const;
    // Of a primitive: one of its attributes, if it has it, and the vertices of its triangles, three each.
    std::optional<Numbers> attribute(const Json& attributes, const std::string& name, int components) const;
    std::vector<int> triangle_corners(const Json& primitive, size_t vertex_count) const;

    void refuse_compressed_meshes() const;  // throws an Error; every mesh must have primitives

    [[noreturn]] void fail(const std::string& problem) const;

private:
    void read_buffers(const std::filesystem::path& folder, std::string embedded);
    std::span<const std::byte> view(size_t index, size_t offset, size_t size) const;
    size_t size_of(const Json& object, const char* key, size_t fallback) const;  // a number of bytes or elements
    void read_elements(const Json& accessor, size_t view_index, size_t count, Numbers& into) const;
    void read_sparse(const Json& accessor, Numbers& into) const;

    std::string source_;
    Json json_;
    std::vector<std::string> buffers_;
};

}  // namespace tulle::io
