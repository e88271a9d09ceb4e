// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/gltf_motion.h"

#include "tulle/io/gltf_file.h"
#include "tulle/io/gltf_skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace tulle::io {

namespace {

using Json = GltfFile::Json;
using Numbers = GltfFile::Numbers;

constexpr size_t most_numbers = 1'000'000'000;  // of all frames together

const Json& only_primitive(const GltfFile& file, const Json& node) {
    const Json& mesh = file.entry("meshes", file.index(node, "mesh", file.count("meshes")));
    const auto primitives = mesh.find("primitives");
    if (primitives == mesh.end() || !primitives->is_array() || primitives->empty())
        file.fail("has a mesh without primitives");
    if (primitives->size() > 1) file.fail("has a mesh of several materials; give it one");
    const Json& primitive = primitives->front();
    if (!primitive.is_object() || !primitive.contains("attributes") || !primitive.at("attributes").is_object())
        file.fail("has a mesh without attributes");
    return primitive;
}

std::vector<Json> targets_of(const Json& primitive) {
    if (!primitive.is_object()) return {};
    const auto targets = primitive.find("targets");
    if (targets == primitive.end() || !targets->is_array()) return {};
    return *targets;
}

size_t find_cloth(const GltfFile& file) {
    std::optional<size_t> found;
    for (size_t n = 0; n < file.count("nodes"); ++n) {
        const Json& node = file.entry("nodes", n);
        if (!node.contains("mesh")) continue;
        if (node.value("name", Json()) == "Cloth") return n;
        const Json& mesh = file.entry("meshes", file.index(node, "mesh", file.count("meshes")));
        const Json primitives = mesh.value("primitives", Json::array());
        if (!found && primitives.is_array() && !primitives.empty() && !targets_of(primitives.front()).empty())
            found = n;
    }
    if (!found) file.fail("has neither a mesh called Cloth nor one with morph targets");
    return *found;
}

Eigen::Affine3d world_of(const GltfFile& file, size_t node) {
    const GltfSkeleton skeleton = read_skeleton(file);
    Eigen::Affine3d world = Eigen::Affine3d::Identity();
    for (int j = skeleton.joint_of_node[node]; j >= 0; j = skeleton.skeleton.joints[static_cast<size_t>(j)].parent)
        world = skeleton.skeleton.joints[static_cast<size_t>(j)].rest.matrix() * world;
    return world;
}

// Weights of all targets at every key.
struct Keys {
    std::vector<double> times;
    Numbers weights;  // |F|×|K|
};

Keys read_keys(const GltfFile& file, const Json& sampler, long targets) {
    const Json interpolation = sampler.value("interpolation", Json("LINEAR"));
    if (interpolation != "LINEAR" && interpolation != "STEP")
        file.fail("has morph targets that move along splines; bake them to one key per frame");
    const size_t accessors = file.count("accessors");
    const Numbers times = file.accessor(file.index(sampler, "input", accessors), 1);
    Keys keys;
    for (long i = 0; i < times.rows(); ++i) {
        if (i > 0 && !(times(i) > times(i - 1))) file.fail("has an animation whose times do not ascend");
        keys.times.push_back(times(i));
    }
    const Numbers weights = file.accessor(file.index(sampler, "output", accessors), 1);
    if (weights.rows() != times.rows() * targets) file.fail("has other weights than one per morph target and key");
    keys.weights = Eigen::Map<const Numbers>(weights.data(), times.rows(), targets);
    return keys;
}

std::optional<Keys> find_keys(const GltfFile& file, size_t node, long targets) {
    for (size_t a = 0; a < file.count("animations"); ++a) {
        const Json& animation = file.entry("animations", a);
        const Json channels = animation.value("channels", Json::array()),
                   samplers = animation.value("samplers", Json::array());
        for (const Json& channel : channels) {
            const Json target = channel.is_object() ? channel.value("target", Json()) : Json();
            if (!target.is_object() || target.value("path", Json()) != "weights" ||
                target.value("node", Json()) != Json(node))
                continue;
            return read_keys(file, samplers.at(file.index(channel, "sampler", samplers.size())), targets);
        }
    }
    return {};
}

std::vector<Positions> read_targets(const GltfFile& file, const Json& primitive, long vertices) {
    std::vector<Positions> targets;
    for (const Json& target : targets_of(primitive)) {
        if (!target.is_object()) file.fail("has a morph target that is no object");
        const std::optional<Numbers> difference = file.attribute(target, "POSITION", 3);
        if (difference && difference->rows() != vertices) file.fail("has a morph target of other vertices");
        targets.push_back(difference ? Positions(*difference) : Positions::Zero(vertices, 3));
    }
    return targets;
}

// Which vertices are one and the same in every frame: each gets the number of its place.
std::vector<int> weld(const Positions& base, const std::vector<Positions>& targets) {
    std::map<std::array<double, 3>, std::vector<long>> at;  // base position → first vertices there
    std::vector<int> places;
    int count = 0;
    for (long v = 0; v < base.rows(); ++v) {
        std::vector<long>& others = at[{base(v, 0), base(v, 1), base(v, 2)}];
        const auto same = std::find_if(others.begin(), others.end(), [&](long w) {
            return std::all_of(targets.begin(), targets.end(),
                               [&](const Positions& target) { return target.row(v) == target.row(w); });
        });
        places.push_back(same == others.end() ? count++ : places[static_cast<size_t>(*same)]);
        if (same == others.end()) others.push_back(v);
    }
    return places;
}

// Rows of the vertices that are left.
Positions gathered(const Positions& rows, const std::vector<int>& places) {
    Positions result(*std::max_element(places.begin(), places.end()) + 1L, 3);
    for (long v = rows.rows() - 1; v >= 0; --v) result.row(places[static_cast<size_t>(v)]) = rows.row(v);
    return result;
}

geometry::Faces faces_of(const GltfFile& file, const Json& primitive, const std::vector<int>& places) {
    std::optional<Numbers> uv = file.attribute(primitive.at("attributes"), "TEXCOORD_0", 2);
    if (uv && uv->rows() != static_cast<long>(places.size())) file.fail("has other texture coordinates than vertices");
    geometry::Faces faces{.has_tex_coords = uv.has_value()};
    std::vector<geometry::Corner> triangle;
    for (const int v : file.triangle_corners(primitive, places.size())) {
        triangle.push_back({.vertex = places[static_cast<size_t>(v)]});
        if (uv) triangle.back().uv << (*uv)(v, 0), 1 - (*uv)(v, 1);  // glTF counts from the top of the picture
        if (triangle.size() < 3) continue;
        faces.add(triangle);
        triangle.clear();
    }
    return faces;
}

// Texture coordinates by vertex, and the faces only where a vertex has several.
void set_faces(const geometry::Faces& faces, geometry::TriangleMesh& mesh) {
    mesh.triangles = geometry::fan_triangles(faces);
    if (!faces.has_tex_coords) return;
    mesh.tex_coords = TexCoords::Constant(mesh.positions.rows(), 2, std::nan(""));
    bool has_seam = false;
    for (const geometry::Corner& corner : faces.corners) {
        auto own = mesh.tex_coords.row(corner.vertex);
        if (std::isnan(own(0)))
            own = corner.uv;
        else
            has_seam = has_seam || own.transpose() != corner.uv;
    }
    mesh.tex_coords = mesh.tex_coords.unaryExpr([](double x) { return std::isnan(x) ? 0 : x; });
    if (has_seam) mesh.faces = faces;
}

double frame_rate_of(const GltfFile& file, const std::vector<double>& times) {
    if (times.size() < 2) return 25;
    const double rate = static_cast<double>(times.size() - 1) / (times.back() - times.front());
    for (size_t f = 1; f < times.size(); ++f)
        if (std::abs((times[f] - times[f - 1]) * rate - 1) > 0.01)
            file.fail("has keys that are not evenly spaced; bake them to one key per frame");
    return std::abs(rate - std::round(rate)) < 1e-3 * rate ? std::round(rate) : rate;
}

// The base with the targets of one key.
Positions shape_at(long key, const Numbers& base, const std::vector<Positions>& targets,
                   const std::optional<Keys>& keys) {
    Positions shape = base;
    for (size_t k = 0; keys && k < targets.size(); ++k) {
        const double weight = keys->weights(key, static_cast<long>(k));
        if (weight != 0) shape += weight * targets[k];
    }
    return shape;
}

GltfMotion read(const GltfFile& file) {
    file.refuse_compressed_meshes();
    const size_t node = find_cloth(file);
    const Json& primitive = only_primitive(file, file.entry("nodes", node));
    if (primitive.value("mode", Json(4)) != 4) file.fail("has a mesh that is not made of triangles");
    const std::optional<Numbers> base = file.attribute(primitive.at("attributes"), "POSITION", 3);
    if (!base) file.fail("has a mesh without positions");
    const std::vector<Positions> targets = read_targets(file, primitive, base->rows());
    const std::optional<Keys> keys = find_keys(file, node, static_cast<long>(targets.size()));
    const size_t frames = keys ? keys->times.size() : 1;
    if (frames > most_numbers / static_cast<size_t>(base->size())) file.fail("has more frames than can be read");
    const std::vector<int> places = weld(*base, targets);
    const Eigen::Affine3d world = world_of(file, node);
    const auto in_world = [&](const Positions& local) {
        return Positions((gathered(local, places) * world.linear().transpose()).rowwise() +
                         world.translation().transpose());
    };
    GltfMotion motion;
    motion.mesh.positions = in_world(*base);
    set_faces(faces_of(file, primitive, places), motion.mesh);
    for (size_t f = 0; f < frames; ++f) {
        const Positions shape = shape_at(static_cast<long>(f), *base, targets, keys);
        motion.frames.emplace_back(in_world(shape).cast<float>());
        if (!motion.frames.back().allFinite()) file.fail("has a number that is not finite");
    }
    if (keys) motion.frame_rate = frame_rate_of(file, keys->times);
    return motion;
}

}  // namespace

GltfMotion read_gltf_motion(const std::filesystem::path& path) {
    const GltfFile file(path);
    try {
        return read(file);
    } catch (const Json::exception&) {  // a type that was not looked at
        file.fail("is not a sound glTF file");
    }
}

}  // namespace tulle::io
