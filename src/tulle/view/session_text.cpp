// SPDX-License-Identifier: Apache-2.0
#include "tulle/view/session_text.h"

#include "tulle/core/version.h"
#include "tulle/scene/families/families.h"

#include <nlohmann/json.hpp>

namespace tulle::view {

namespace {

using Json = nlohmann::ordered_json;

Json json(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json json(const ParameterValue& value) {
    if (const auto* vector = std::get_if<Vector3>(&value)) return json(*vector);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return std::get<double>(value);
}

// Names of scenes and files may hold any bytes.
std::string dump(const Json& value) { return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

const char* word(ColorMode mode) {
    constexpr const char* words[] = {"fabric", "strain", "speed", "error", "difference"};
    return words[static_cast<std::uint32_t>(mode)];
}

Json json(const Parameter& parameter, const ParameterValues& values) {
    constexpr const char* kinds[] = {"number", "integer", "vector", "choice"};
    const auto found = values.find(parameter.name);
    Json object = {{"name", parameter.name},
                   {"label", parameter.label},
                   {"unit", parameter.unit},
                   {"kind", kinds[static_cast<int>(parameter.kind)]},
                   {"value", json(found == values.end() ? parameter.fallback : found->second)},
                   {"default", json(parameter.fallback)},
                   {"rebuilds", parameter.rebuilds}};
    if (parameter.kind == ParameterKind::Choice) {
        object["choices"] = parameter.choices;
        return object;
    }
    if (parameter.kind != ParameterKind::Vector) object["min"] = parameter.min;
    object["max"] = parameter.max;
    if (parameter.is_logarithmic) object["scale"] = "log";
    return object;
}

Json json(const ColliderOutline& collider, size_t number, std::uint32_t topology) {
    constexpr const char* kinds[] = {"rigid", "deforming", "plane"};
    Json object = {{"collider", number},
                   {"name", collider.name},
                   {"kind", kinds[static_cast<int>(collider.kind)]},
                   {"movable", collider.is_movable}};
    if (collider.kind == ColliderOutline::Kind::Plane) {
        object["point"] = json(collider.point);
        object["normal"] = json(collider.normal);
    } else {
        object["topology"] = topology;
    }
    return object;
}

Json json(const BodyFacts& body) {
    Json joints = Json::array();
    for (const body::Joint& joint : body.joints)
        joints.push_back({{"name", joint.name}, {"low", json(joint.limits.low)}, {"high", json(joint.limits.high)}});
    return {{"clips", body.clips}, {"clip", body.clip}, {"joints", std::move(joints)}};
}

Json colors_of(const PreparedStage& stage) {
    Json colors = Json::array();
    for (const ColorMode color :
         {ColorMode::Fabric, ColorMode::Strain, ColorMode::Speed, ColorMode::PredictedError, ColorMode::Difference})
        if (offers(stage, color)) colors.push_back(word(color));
    return colors;
}

Json panels_of(const PreparedStage& stage) {
    Json panels = Json::array();
    for (const PanelFacts& panel : stage.panels)
        panels.push_back({{"panel", panels.size()},
                          {"title", panel.title},
                          {"method", panel.method},
                          {"vertices", panel.vertices},
                          {"simulated_vertices", panel.simulated_vertices},
                          {"triangles", panel.triangles},
                          {"topology", panel.topology}});
    return panels;
}

}  // namespace

std::string scene_text(const PreparedStage& stage, const ParameterValues& values) {
    Json parameters = Json::array(), colliders = Json::array(), body;
    for (const Parameter& parameter : stage.parameters) parameters.push_back(json(parameter, values));
    for (size_t i = 0; i < stage.colliders.size(); ++i)
        colliders.push_back(json(stage.colliders[i], i, stage.first_collider_topology + static_cast<std::uint32_t>(i)));
    if (stage.body) body = json(*stage.body);
    return dump({{"type", "scene"},
                 {"kind", stage.scene ? "live" : "recorded"},
                 {"name", stage.name},
                 {"description", stage.description},
                 {"up", json(stage.up)},
                 {"frame_rate", stage.frame_rate},
                 {"frames", stage.frames},
                 {"box", {json(stage.box.min()), json(stage.box.max())}},
                 {"grabbable", stage.is_grabbable},
                 {"colors", colors_of(stage)},
                 {"panels", panels_of(stage)},
                 {"colliders", std::move(colliders)},
                 {"parameters", std::move(parameters)},
                 {"body", std::move(body)}});
}

std::string hello_text(const std::vector<ListedScene>& scenes, const std::string& saves_to) {
    Json listed = Json::array(), methods = Json::array();
    for (const ListedScene& scene : scenes)
        listed.push_back({{"name", scene.name}, {"description", scene.description}});
    constexpr const char* families[] = {"solver", "upscaling", "force_cell", "garment"};
    for (size_t i = 0; i < scene::families().size() && !scenes.empty(); ++i)
        for (const std::string& name : scene::families()[i]->method_names())
            methods.push_back({{"name", name}, {"family", families[i]}, {"default", name}});
    return dump({{"type", "hello"},
                 {"version", 1},
                 {"program", std::string("tulle ") + version},
                 {"scenes", std::move(listed)},
                 {"methods", std::move(methods)},
                 {"max_panels", most_panels},
                 {"saves_to", saves_to}});
}

std::string status_text(const StatusFacts& facts) {
    Json values = Json::object(), offsets = Json::object(), joints = Json::object(), panels = Json::array();
    for (const auto& [name, value] : facts.values) values[name] = json(value);
    for (const auto& [name, offset] : facts.offsets) offsets[name] = json(offset);
    for (const auto& [name, angles] : facts.joints) joints[name] = json(angles);
    for (const PanelStatus& panel : facts.panels)
        panels.push_back({{"panel", panels.size()},
                          {"frame", panel.frame},
                          {"time", panel.time},
                          {"frames_per_second", panel.frames_per_second},
                          {"ms", panel.milliseconds},
                          {"stages", Json(panel.stages)},
                          {"worst_stretch", panel.worst_stretch},
                          {"message", panel.message}});
    return dump({{"type", "status"},
                 {"playing", facts.is_playing},
                 {"speed", facts.speed},
                 {"color", word(facts.color)},
                 {"busy", facts.busy},
                 {"values", std::move(values)},
                 {"offsets", std::move(offsets)},
                 {"joints", std::move(joints)},
                 {"clients", facts.clients},
                 {"panels", std::move(panels)}});
}

std::string note_text(const std::string& sentence) { return dump({{"type", "note"}, {"text", sentence}}); }

std::string error_text(const std::string& sentence, std::optional<std::uint32_t> seq) {
    Json object = {{"type", "error"}, {"text", sentence}};
    if (seq) object["seq"] = *seq;
    return dump(object);
}

std::string saved_text(const std::string& what, const std::string& path, const std::string& note,
                       std::optional<std::uint32_t> seq) {
    Json object = {{"type", "saved"}, {"what", what}, {"path", path}, {"note", note}};
    if (seq) object["seq"] = *seq;
    return dump(object);
}

}  // namespace tulle::view
