// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/read_gltf.h"
#include "tests/io/gltf_character.h"
#include "tests/support/closed_surface.h"
#include "tests/support/error_of.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using Json = nlohmann::ordered_json;

namespace {

std::filesystem::path write(const test::TemporaryFolder& folder, const std::string& name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
}

// The message for a character with something changed.
std::string error(const std::function<void(test::GltfParts&)>& change) {
    const test::TemporaryFolder folder;
    test::GltfParts parts = test::gltf_character();
    change(parts);
    const auto path = write(folder, "hero.glb", test::to_glb(parts));
    return test::error_naming("hero.glb", [&] { (void)read_gltf_character(path); });
}

// What three.js must find: rest positions, then a time and the posed vertices for every frame; f64.
void write_expected(const std::filesystem::path& path, const body::Character& character, const body::Clip& clip,
                    int frames) {
    std::ofstream file(path, std::ios::binary);
    const auto put = [&](const double* numbers, long count) {
        file.write(reinterpret_cast<const char*>(numbers), count * static_cast<long>(sizeof(double)));
    };
    const std::array<double, 2> header = {static_cast<double>(character.skin.positions.rows()),
                                          static_cast<double>(frames)};
    put(header.data(), 2);
    put(character.skin.positions.data(), character.skin.positions.size());
    for (int f = 0; f < frames; ++f) {
        const double time = clip.duration * f / (frames - 1);
        const Positions posed = character.posed(clip.at(character.skeleton, time));
        put(&time, 1);
        put(posed.data(), posed.size());
    }
}

}  // namespace

TEST_CASE("A glTF character has its joints, its clip and a closed surface, from .glb and .gltf alike") {
    const test::TemporaryFolder folder;
    const test::GltfParts parts = test::gltf_character();
    const body::Character binary = read_gltf_character(write(folder, "a.glb", test::to_glb(parts)));
    const body::Character text = read_gltf_character(write(folder, "b.gltf", test::to_gltf(parts)));
    test::GltfParts outside = parts;
    outside.json["buffers"][0]["uri"] = "c.bin";
    write(folder, "c.bin", parts.binary);
    const body::Character beside = read_gltf_character(write(folder, "c.gltf", outside.json.dump()));
    CHECK(binary.skeleton.find("Spine") > binary.skeleton.find("Hips"));
    REQUIRE(binary.clips.size() == 1);
    CHECK(binary.clips[0].name == "Walk");
    CHECK(binary.clips[0].duration == 1.25);
    CHECK(binary.clips[0].tracks.size() == 4);
    const geometry::TriangleMesh mesh{binary.skin.positions, binary.triangles, {}};
    CHECK(mesh.vertex_count() == 92);  // the seam is closed again
    CHECK(test::is_closed(mesh));
    for (const body::Character& other : {text, beside}) {
        CHECK(other.skin.positions == binary.skin.positions);
        CHECK(other.posed(other.clips[0].at(other.skeleton, 0.9)) ==
              binary.posed(binary.clips[0].at(binary.skeleton, 0.9)));
    }
}

TEST_CASE("A glTF character read by us and by three.js has the same vertices on every frame of its clip") {
    const test::TemporaryFolder folder;
    const auto file = write(folder, "hero.glb", test::to_glb(test::gltf_character()));
    const body::Character character = read_gltf_character(file);
    write_expected(folder / "expected", character, character.clips[0], 51);
    const test::Outcome outcome =
        test::run_node("read_character.mjs", fmt::format("'{}' '{}'", file.string(), (folder / "expected").string()));
    INFO(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(test::contains(outcome.output, "51 frames"));
}

TEST_CASE("Whatever is wrong with a glTF character is said in one sentence") {
    using test::contains;
    const auto set = [](const std::string& pointer, const Json& value) {
        return [=](test::GltfParts& parts) { parts.json[Json::json_pointer(pointer)] = value; };
    };
    CHECK(contains(error(set("/nodes/2/children/0", 77)), "refers to nothing"));
    CHECK(contains(error(set("/nodes/4/children", {2})), "two parents"));
    CHECK(contains(error([](test::GltfParts& p) {
                       p.json["nodes"][1].erase("children");
                       p.json["nodes"][4]["children"] = {2};
                   }),
                   "ancestors"));
    CHECK(contains(error(set("/nodes/3/translation", {0, 1})), "3 numbers"));
    CHECK(contains(error(set("/nodes/3/rotation", {0, 0, 0, 0})), "no length"));
    CHECK(contains(error(set("/skins/0/joints", Json::array())), "without joints"));
    CHECK(contains(error(set("/skins/0/joints/1", -1)), "refers to nothing"));
    CHECK(contains(error([](test::GltfParts& p) { p.json["nodes"][0].erase("skin"); }), "no skinned mesh"));
    CHECK(contains(error(set("/accessors/0/count", 1e9)), "whole number"));
    CHECK(contains(error(set("/accessors/0/count", 1000000000)), "senseless"));
    CHECK(contains(error(set("/accessors/0/count", 5000)), "outside"));
    CHECK(contains(error(set("/accessors/0/type", "VEC4")), "VEC3"));
    CHECK(contains(error(set("/accessors/0/componentType", 1)), "component type"));
    CHECK(contains(error(set("/bufferViews/0/byteStride", 8)), "byteStride"));
    CHECK(contains(error(set("/bufferViews/0/byteOffset", 1 << 30)), "outside"));
    CHECK(contains(error(set("/buffers/0/byteLength", 1 << 30)), "cut off"));
    CHECK(contains(error(set("/buffers/0/uri", "../../secret")), "outside of its folder"));
    CHECK(contains(error(set("/animations/0/samplers/0/interpolation", "MAGIC")), "interpolation"));
    CHECK(contains(error(set("/animations/0/samplers/0/output", 0)), "VEC4"));
    CHECK(contains(error(set("/animations/0/channels/0/sampler", 9)), "refers to nothing"));
    CHECK(contains(error(set("/meshes/0/primitives/0/mode", 5)), "triangles"));
    CHECK(contains(error(set("/meshes/0/primitives/0/extensions", {{"KHR_draco_mesh_compression", Json::object()}})),
                   "draco"));
    CHECK(contains(error(set("/meshes", 3)), "no list"));
    // The first joint of the first vertex, its weights, and a corner of a triangle.
    const auto poke = [](size_t accessor, unsigned char byte, size_t count = 1) {
        return [=](test::GltfParts& parts) {
            const size_t view = parts.json["accessors"][accessor]["bufferView"].get<size_t>();
            const size_t at = parts.json["bufferViews"][view]["byteOffset"].get<size_t>();
            for (size_t i = 0; i < count; ++i) parts.binary[at + i] = static_cast<char>(byte);
        };
    };
    CHECK(contains(error(poke(2, 200)), "follows a joint"));
    CHECK(contains(error(poke(3, 0, 4)), "no joint carries"));
    CHECK(contains(error(poke(4, 255, 2)), "not there"));
    CHECK(contains(error(poke(0, 255, 4)), "not finite"));
}

TEST_CASE("A file that is cut off anywhere is refused") {
    const test::TemporaryFolder folder;
    const std::string whole = test::to_glb(test::gltf_character());
    for (size_t size = 0; size < whole.size(); size += 1 + whole.size() / 97) {
        const auto path = write(folder, "cut.glb", whole.substr(0, size));
        test::error_naming("cut.glb", [&] { (void)read_gltf_character(path); });
    }
}
