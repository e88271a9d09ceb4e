// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/read_gltf.h"

#include "tulle/core/error.h"
#include "tulle/io/gltf_file.h"
#include "tulle/io/gltf_skeleton.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace tulle::io {

namespace {

using Json = GltfFile::Json;

// The surface while its pieces are put together.
struct Surface {
    std::vector<std::vector<double>> vertices;  // position, then joint and weight of every influence
    std::map<std::vector<double>, int> places;  // of each of them
    std::vector<std::array<int, 3>> triangles;
    size_t influences = 4;

    int vertex(const std::vector<double>& numbers) {
        const auto [place, is_new] = places.try_emplace(numbers, static_cast<int>(vertices.size()));
        if (is_new) vertices.push_back(numbers);
        return place->second;
    }
};

// Joints and inverse binds of the skin that the character has.
struct SkinOfFile {
    std::vector<int> joints;  // of the skeleton
    body::Affines inverse_binds;
};

SkinOfFile read_skin(const GltfFile& file, size_t index, const GltfSkeleton& skeleton) {
    const Json& skin = file.entry("skins", index);
    if (!skin.contains("joints") || !skin.at("joints").is_array() || skin.at("joints").empty())
        file.fail("has a skin without joints");
    SkinOfFile result;
    for (const Json& joint : skin.at("joints"))
        result.joints.push_back(
            skeleton.joint_of_node[file.index({{"joint", joint}}, "joint", skeleton.joint_of_node.size())]);
    result.inverse_binds.assign(result.joints.size(), Eigen::Affine3d::Identity());
    if (!skin.contains("inverseBindMatrices")) return result;
    const auto matrices = file.accessor(file.index(skin, "inverseBindMatrices", file.count("accessors")), 16);
    if (matrices.rows() < static_cast<long>(result.joints.size())) file.fail("has fewer bind matrices than joints");
    for (size_t j = 0; j < result.joints.size(); ++j)
        result.inverse_binds[j].matrix() =
            Eigen::Map<const Eigen::Matrix4d>(matrices.row(static_cast<long>(j)).data());  // both are column-major
    return result;
}

// Positions with the joints that carry them, one row a vertex.
std::vector<std::vector<double>> read_vertices(const GltfFile& file, const Json& attributes, const SkinOfFile& skin) {
    const auto positions = file.attribute(attributes, "POSITION", 3);
    if (!positions) file.fail("has a skinned mesh without positions");
    std::vector<std::vector<double>> vertices;
    for (const auto& p : positions->rowwise()) vertices.push_back({p(0), p(1), p(2)});
    for (int set = 0;; ++set) {
        const auto joints = file.attribute(attributes, fmt::format("JOINTS_{}", set), 4);
        const auto weights = file.attribute(attributes, fmt::format("WEIGHTS_{}", set), 4);
        if (!joints && !weights && set > 0) return vertices;
        if (!joints || !weights || joints->rows() != positions->rows() || weights->rows() != positions->rows())
            file.fail("has a skinned mesh without a joint and a weight for every vertex");
        for (long v = 0; v < joints->rows(); ++v)
            for (int k = 0; k < 4; ++k) {
                const double weight = (*weights)(v, k), joint = weight == 0 ? 0 : (*joints)(v, k);
                if (!(joint >= 0 && joint < static_cast<double>(skin.joints.size())))
                    file.fail(fmt::format("has a vertex {} that follows a joint that its skin does not have", v));
                if (weight < 0) file.fail(fmt::format("has a vertex {} with a negative weight", v));
                vertices[static_cast<size_t>(v)].push_back(skin.joints[static_cast<size_t>(joint)]);
                vertices[static_cast<size_t>(v)].push_back(weight);
            }
    }
}

void add_primitive(const GltfFile& file, const Json& primitive, const SkinOfFile& skin, Surface& surface) {
    if (!primitive.is_object() || !primitive.contains("attributes") || !primitive.at("attributes").is_object())
        file.fail("has a mesh without attributes");
    if (primitive.value("mode", Json(4)) != 4) file.fail("has a skinned mesh that is not made of triangles");
    const std::vector<std::vector<double>> vertices = read_vertices(file, primitive.at("attributes"), skin);
    const std::vector<int> indices = file.triangle_corners(primitive, vertices.size());
    std::vector<int> places;
    for (const int v : indices) {
        std::vector<double> vertex = vertices[static_cast<size_t>(v)];
        surface.influences = std::max(surface.influences, (vertex.size() - 3) / 2);
        places.push_back(surface.vertex(vertex));
    }
    for (size_t i = 0; i < places.size(); i += 3)
        if (places[i] != places[i + 1] && places[i + 1] != places[i + 2] && places[i + 2] != places[i])
            surface.triangles.push_back({places[i], places[i + 1], places[i + 2]});
}

body::Skin to_skin(const GltfFile& file, const Surface& surface, const SkinOfFile& of_file, int joint_count) {
    const auto rows = static_cast<long>(surface.vertices.size()), columns = static_cast<long>(surface.influences);
    body::Skin skin{.positions = Positions(rows, 3),
                    .joints = body::InfluenceJoints::Zero(rows, columns),
                    .weights = body::InfluenceWeights::Zero(rows, columns),
                    .inverse_binds = body::Affines(static_cast<size_t>(joint_count), Eigen::Affine3d::Identity())};
    for (long v = 0; v < rows; ++v) {
        const std::vector<double>& numbers = surface.vertices[static_cast<size_t>(v)];
        skin.positions.row(v) << numbers[0], numbers[1], numbers[2];
        for (size_t k = 3; k < numbers.size(); k += 2) {
            skin.joints(v, static_cast<long>(k - 3) / 2) = static_cast<int>(numbers[k]);
            skin.weights(v, static_cast<long>(k - 3) / 2) = numbers[k + 1];
        }
        const double sum = skin.weights.row(v).sum();
        if (!(sum > 1e-6)) file.fail("has a vertex that no joint carries");
        skin.weights.row(v) /= sum;
    }
    for (size_t j = 0; j < of_file.joints.size(); ++j)
        skin.inverse_binds[static_cast<size_t>(of_file.joints[j])] = of_file.inverse_binds[j];
    return skin;
}

body::Character read(const GltfFile& file) {
    file.refuse_compressed_meshes();
    const GltfSkeleton skeleton = read_skeleton(file);
    Surface surface;
    std::optional<size_t> chosen;
    SkinOfFile skin;
    for (size_t n = 0; n < file.count("nodes"); ++n) {
        const Json& node = file.entry("nodes", n);
        if (!node.contains("mesh") || !node.contains("skin")) continue;
        const size_t index = file.index(node, "skin", file.count("skins"));
        if (chosen && *chosen != index) file.fail("has several skins; join its meshes into one character");
        if (!chosen) skin = read_skin(file, index, skeleton);
        chosen = index;
        const Json& mesh = file.entry("meshes", file.index(node, "mesh", file.count("meshes")));
        for (const Json& primitive : mesh.at("primitives")) add_primitive(file, primitive, skin, surface);
    }
    if (!chosen || surface.triangles.empty()) file.fail("holds no skinned mesh");
    body::Character character;
    character.skeleton = skeleton.skeleton;
    character.skin = to_skin(file, surface, skin, skeleton.skeleton.joint_count());
    character.triangles.resize(static_cast<long>(surface.triangles.size()), 3);
    for (size_t t = 0; t < surface.triangles.size(); ++t)
        for (size_t k = 0; k < 3; ++k)
            character.triangles(static_cast<long>(t), static_cast<long>(k)) = surface.triangles[t][k];
    character.clips = read_clips(file, skeleton);
    return character;
}

}  // namespace

body::Character read_gltf_character(const std::filesystem::path& path) {
    const GltfFile file(path);
    try {
        body::Character character = read(file);
        character.name = path.stem().string();
        return character;
    } catch (const Json::exception&) {  // a type that was not looked at
        file.fail("is not a sound glTF file");
    }
}

}  // namespace tulle::io
