// SPDX-License-Identifier: Apache-2.0
#include "tests/io/gltf_character.h"

#include <Eigen/Geometry>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <vector>

namespace tulle::test {

namespace {

using Json = nlohmann::ordered_json;
constexpr int rings = 9, around = 10, floats = 5126, bytes = 5121, shorts = 5123;
constexpr float height = 1.6f, radius = 0.15f;

class Writer {
public:
    GltfParts parts;

    template <typename Value>
    int add(const std::vector<Value>& values, int component_type, const char* type, size_t count, Json more = {},
            int stride = 0, size_t offset = 0) {
        Json view = {{"buffer", 0}, {"byteOffset", parts.binary.size()}, {"byteLength", values.size() * sizeof(Value)}};
        if (stride > 0) view["byteStride"] = stride;
        parts.json["bufferViews"].push_back(view);
        parts.binary.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value));
        parts.binary.resize((parts.binary.size() + 3) / 4 * 4);
        return accessor(static_cast<int>(parts.json["bufferViews"].size()) - 1, component_type, type, count, more,
                        offset);
    }
    int accessor(int view, int component_type, const char* type, size_t count, const Json& more, size_t offset) {
        Json entry = {{"bufferView", view},
                      {"byteOffset", offset},
                      {"componentType", component_type},
                      {"count", count},
                      {"type", type}};
        if (!more.is_null()) entry.update(more);
        parts.json["accessors"].push_back(entry);
        return static_cast<int>(parts.json["accessors"].size()) - 1;
    }
};

// Rings of a tube, the first column twice as exporters do at a texture seam, and a middle for either end.
struct Tube {
    std::vector<float> vertices;  // x y z u v
    std::vector<std::uint8_t> joints, weights;
    std::vector<std::uint16_t> indices;

    Tube() {
        for (int r = 0; r < rings; ++r)
            for (int a = 0; a <= around; ++a) {
                const double angle = 2 * std::numbers::pi * (a % around) / around,
                             s = static_cast<double>(r) / (rings - 1);
                add(radius * static_cast<float>(std::cos(angle)), height * static_cast<float>(s),
                    radius * static_cast<float>(std::sin(angle)), static_cast<float>(a) / around, s);
            }
        add(0, 0, 0, 0, 0);
        add(0, height, 0, 0, 1);
        const int columns = around + 1, bottom = rings * columns, top = bottom + 1;
        for (int a = 0; a < around; ++a) {
            for (int r = 0; r + 1 < rings; ++r) {
                const int i = r * columns + a;
                for (const int v : {i, i + columns, i + 1, i + 1, i + columns, i + columns + 1}) index(v);
            }
            for (const int v : {bottom, a, a + 1}) index(v);
            for (const int v : {top, (rings - 1) * columns + a + 1, (rings - 1) * columns + a}) index(v);
        }
    }

private:
    void index(int v) { indices.push_back(static_cast<std::uint16_t>(v)); }
    // s along the tube decides between the three joints; the weights of a vertex add up to 255.
    void add(float x, float y, float z, float u, double s) {
        vertices.insert(vertices.end(), {x, y, z, u, static_cast<float>(s)});
        const double along = 2 * s;
        const int first = std::min(static_cast<int>(along), 1);
        const auto second = static_cast<std::uint8_t>(std::lround(255 * (along - first)));
        for (const int joint : {first, first + 1, 0, 0}) joints.push_back(static_cast<std::uint8_t>(joint));
        for (const int weight : {255 - second, static_cast<int>(second), 0, 0})
            weights.push_back(static_cast<std::uint8_t>(weight));
    }
};

void add_quaternion(std::vector<float>& into, double angle, const Eigen::Vector3d& axis) {
    const Eigen::Quaternionf q(Eigen::AngleAxisf(static_cast<float>(angle), axis.normalized().cast<float>()));
    into.insert(into.end(), {q.x(), q.y(), q.z(), q.w()});
}

// Nodes: 0 the mesh, 1 a turned and scaled parent given as a matrix, 2–4 a chain of joints.
Json nodes() {
    Eigen::Affine3d parent = Eigen::Translation3d(0.2, 0.1, -0.3) *
                             Eigen::AngleAxisd(0.4, Eigen::Vector3d(1, 2, 3).normalized()) *
                             Eigen::Scaling(1.5, 1.5, 1.5);
    const std::vector<double> matrix(parent.matrix().data(), parent.matrix().data() + 16);
    return {{{"name", "Body"}, {"mesh", 0}, {"skin", 0}, {"translation", {9, 9, 9}}},
            {{"name", "Armature"}, {"matrix", matrix}, {"children", {2}}},
            {{"name", "Hips"}, {"children", {3}}},
            {{"name", "Spine"}, {"translation", {0, 0.8, 0}}, {"children", {4}}},
            {{"name", "Head"}, {"translation", {0, 0.8, 0}}, {"scale", {1, 1, 1}}}};
}

void add_animation(Writer& writer) {
    const std::vector<float> times = {0, 0.5f, 1.25f};
    const int input = writer.add(times, floats, "SCALAR", 3, {{"min", {0}}, {"max", {1.25}}});
    std::vector<float> turns, cubic_turns, moves, scales;
    for (const double angle : {0.0, 1.2, -0.7}) add_quaternion(turns, angle, {0.2, 0.1, 1});
    for (const double angle : {0.1, 0.8, -0.4}) {
        cubic_turns.insert(cubic_turns.end(), {0.1f, 0, 0.3f, 0});
        add_quaternion(cubic_turns, angle, {1, 0, 0.2});
        cubic_turns.insert(cubic_turns.end(), {0, 0.2f, 0.3f, -0.1f});
    }
    for (const float x : {0.0f, 0.3f, -0.2f}) moves.insert(moves.end(), {x, 0.1f * x, 0});
    for (const float x : {1.0f, 1.4f, 0.8f}) scales.insert(scales.end(), {x, 1, 1});
    Json samplers = Json::array(
        {{{"input", input}, {"output", writer.add(turns, floats, "VEC4", 3)}},
         {{"input", input}, {"output", writer.add(cubic_turns, floats, "VEC4", 9)}, {"interpolation", "CUBICSPLINE"}},
         {{"input", input}, {"output", writer.add(moves, floats, "VEC3", 3)}},
         {{"input", input}, {"output", writer.add(scales, floats, "VEC3", 3)}, {"interpolation", "STEP"}}});
    const auto channel = [](int sampler, int node, const char* path) {
        return Json{{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}};
    };
    writer.parts.json["animations"] = Json::array({{{"name", "Walk"},
                                                    {"channels",
                                                     {channel(0, 3, "rotation"), channel(1, 4, "rotation"),
                                                      channel(2, 2, "translation"), channel(3, 4, "scale")}},
                                                    {"samplers", samplers}}});
}

std::string word(std::uint32_t value) {
    std::string text(4, '\0');
    std::memcpy(text.data(), &value, 4);
    return text;
}

}  // namespace

GltfParts gltf_character() {
    Writer writer;
    Json& json = writer.parts.json;
    json = {{"asset", {{"version", "2.0"}}},   {"scene", 0},
            {"scenes", {{{"nodes", {0, 1}}}}}, {"nodes", nodes()},
            {"bufferViews", Json::array()},    {"accessors", Json::array()}};
    const Tube tube;
    const size_t count = tube.joints.size() / 4;
    const int position = writer.add(tube.vertices, floats, "VEC3", count,
                                    {{"min", {-radius, 0, -radius}}, {"max", {radius, height, radius}}}, 20);
    const int uv = writer.accessor(0, floats, "VEC2", count, {}, 12);
    const Json attributes = {{"POSITION", position},
                             {"TEXCOORD_0", uv},
                             {"JOINTS_0", writer.add(tube.joints, bytes, "VEC4", count)},
                             {"WEIGHTS_0", writer.add(tube.weights, bytes, "VEC4", count, {{"normalized", true}})}};
    json["meshes"] = Json::array(
        {{{"primitives",
           Json::array({{{"attributes", attributes},
                         {"indices", writer.add(tube.indices, shorts, "SCALAR", tube.indices.size())}}})}}});
    std::vector<float> binds;
    for (int joint = 0; joint < 3; ++joint) {
        Eigen::Matrix4f bind = Eigen::Matrix4f::Identity();
        bind(1, 3) = -0.8f * static_cast<float>(joint);
        binds.insert(binds.end(), bind.data(), bind.data() + 16);
    }
    json["skins"] =
        Json::array({{{"joints", {2, 3, 4}}, {"inverseBindMatrices", writer.add(binds, floats, "MAT4", 3)}}});
    add_animation(writer);
    json["buffers"] = Json::array({{{"byteLength", writer.parts.binary.size()}}});
    return writer.parts;
}

std::string to_glb(const GltfParts& parts) {
    std::string text = parts.json.dump();
    text.resize((text.size() + 3) / 4 * 4, ' ');
    std::string binary = parts.binary;
    binary.resize((binary.size() + 3) / 4 * 4);
    const auto size = [](const std::string& s) { return static_cast<std::uint32_t>(s.size()); };
    return "glTF" + word(2) + word(28 + size(text) + size(binary)) + word(size(text)) + "JSON" + text +
           word(size(binary)) + std::string("BIN\0", 4) + binary;
}

std::string to_gltf(GltfParts parts) {
    static const char* letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < parts.binary.size(); i += 3) {
        std::uint32_t bits = 0;
        const size_t here = std::min<size_t>(3, parts.binary.size() - i);
        for (size_t k = 0; k < 3; ++k)
            bits = bits << 8 | (k < here ? static_cast<unsigned char>(parts.binary[i + k]) : 0u);
        for (size_t k = 0; k < 4; ++k) text += k <= here ? letters[bits >> (18 - 6 * k) & 63] : '=';
    }
    parts.json["buffers"][0]["uri"] = "data:application/octet-stream;base64," + text;
    return parts.json.dump();
}

}  // namespace tulle::test
