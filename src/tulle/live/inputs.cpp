// SPDX-License-Identifier: Apache-2.0
#include "tulle/live/inputs.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <nlohmann/json.hpp>

namespace tulle::live {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kind = "tulle-inputs";
const FileFormat recording_format = {.name = "a recording of inputs", .beginning = R"({"format":"tulle-inputs")"};

Json json(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json json(const GrabInput& i) {
    return {{"type", "grab"},
            {"pointer", i.pointer},
            {"triangle", i.triangle},
            {"weights", json(i.weights)},
            {"target", json(i.target)}};
}
Json json(const DragInput& i) { return {{"type", "drag"}, {"pointer", i.pointer}, {"target", json(i.target)}}; }
Json json(const ReleaseInput& i) { return {{"type", "release"}, {"pointer", i.pointer}}; }
Json json(const WindInput& i) { return {{"type", "wind"}, {"velocity", json(i.velocity)}}; }
Json json(const GravityInput& i) { return {{"type", "gravity"}, {"acceleration", json(i.acceleration)}}; }
Json json(const ColliderInput& i) { return {{"type", "collider"}, {"name", i.name}, {"offset", json(i.offset)}}; }
Json json(const JointInput& i) { return {{"type", "joint"}, {"name", i.name}, {"angles", json(i.angles)}}; }
Json json(const RebuildInput& i) { return {{"type", "rebuild"}, {"scene", i.scene}, {"method", i.method}}; }

Vector3 vector(const Json& value) {
    const auto numbers = value.get<std::vector<double>>();
    if (numbers.size() != 3) throw Error("a vector has three numbers");
    const Vector3 v(numbers[0], numbers[1], numbers[2]);
    if (!v.allFinite()) throw Error("a number is not finite");
    return v;
}

Input read_input(const Json& value) {
    const auto type = value.at("type").get<std::string>();
    const auto pointer = [&] { return value.at("pointer").get<int>(); };
    const auto at = [&](const char* key) { return vector(value.at(key)); };
    if (type == "grab") return GrabInput{pointer(), value.at("triangle").get<int>(), at("weights"), at("target")};
    if (type == "drag") return DragInput{pointer(), at("target")};
    if (type == "release") return ReleaseInput{pointer()};
    if (type == "wind") return WindInput{at("velocity")};
    if (type == "gravity") return GravityInput{at("acceleration")};
    if (type == "collider") return ColliderInput{value.at("name").get<std::string>(), at("offset")};
    if (type == "joint") return JointInput{value.at("name").get<std::string>(), at("angles")};
    if (type == "rebuild")
        return RebuildInput{value.at("scene").get<std::string>(), value.at("method").get<std::string>()};
    throw Error("there is no input '{}'", type);
}

Recording read(const Json& root) {
    if (root.at("format").get<std::string>() != kind || root.at("version").get<int>() != 1)
        throw Error("it is no recording of this version");
    Recording recording{.scene = root.at("scene").get<std::string>(),
                        .folder = root.at("folder").get<std::string>(),
                        .method = root.at("method").get<std::string>(),
                        .frames = root.at("frames").get<long>(),
                        .inputs = {}};
    long last = 0;
    for (const Json& value : root.at("inputs")) {
        const long frame = value.at("frame").get<long>();
        if (frame < last) throw Error("its inputs are not in their order");
        last = frame;
        recording.inputs.push_back({frame, read_input(value)});
    }
    return recording;
}

}  // namespace

std::string to_text(const Recording& recording) {
    Json inputs = Json::array();
    for (const auto& [frame, input] : recording.inputs) {
        Json value = {{"frame", frame}};
        value.update(std::visit([](const auto& i) { return json(i); }, input));
        inputs.push_back(std::move(value));
    }
    const Json root = {{"format", kind},
                       {"version", 1},
                       {"method", recording.method},
                       {"frames", recording.frames},
                       {"folder", recording.folder.string()},
                       {"inputs", std::move(inputs)},
                       {"scene", recording.scene}};
    return root.dump() + "\n";
}

Recording parse_recording(const std::string& text, const std::string& source) {
    try {
        return read(Json::parse(text));
    } catch (const nlohmann::json::exception&) {
        throw Error("'{}' is no recording of inputs, or a damaged one; `tulle view` saves them beside caches", source);
    } catch (const Error& error) {
        throw Error("'{}' cannot be replayed: {}", source, error.what());
    }
}

std::filesystem::path recording_path(const std::filesystem::path& cache) {
    std::filesystem::path beside = cache;
    return beside.replace_extension(".inputs.json");
}

void write_recording(const Recording& recording, const std::filesystem::path& path) {
    write_file(path, to_text(recording), recording_format);
}

Recording read_recording(const std::filesystem::path& path) {
    constexpr std::uintmax_t limit = 1 << 30;
    const std::filesystem::path file = path.extension() == ".h5" ? recording_path(path) : path;
    return parse_recording(read_file(file, limit), file.string());
}

}  // namespace tulle::live
