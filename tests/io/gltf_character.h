// SPDX-License-Identifier: Apache-2.0
// Writes skinned characters as other programs do, for tests: a closed tube on a chain of three joints under a parent
// that is turned and scaled, with every interpolation, byte weights, interleaved vertices and split vertices.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>

namespace tulle::test {

struct GltfParts {
    nlohmann::ordered_json json;
    std::string binary;
};

GltfParts gltf_character();
std::string to_glb(const GltfParts& parts);
std::string to_gltf(GltfParts parts);  // with its buffer as base64

}  // namespace tulle::test
