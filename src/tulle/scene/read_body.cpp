// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mannequin.h"
#include "tulle/scene/nearest.h"
#include "tulle/scene/sections.h"

#include <algorithm>
#include <numbers>

namespace tulle::scene {

namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

std::vector<std::string> joint_names() {
    std::vector<std::string> names;
    for (const body::Joint& joint : body::mannequin_skeleton().joints) names.push_back(joint.name);
    return names;
}

// Every key that is not in `others` is a joint of the mannequin with its three angles.
std::vector<body::NamedAngles> read_angles(TableReader& table, const std::vector<std::string>& others) {
    static const std::vector<std::string> joints = joint_names();
    std::vector<body::NamedAngles> angles;
    for (const std::string& name : table.names()) {
        if (std::find(others.begin(), others.end(), name) != others.end()) continue;
        if (std::find(joints.begin(), joints.end(), name) == joints.end())
            table.fail(name, "is no joint of the mannequin" + suggestion(name, joints));
        angles.emplace_back(name, radians_per_degree * table.vector(name, {.unit = "degrees"}));
    }
    return angles;
}

body::Keyframes read_clip(TableReader& table) {
    body::Keyframes clip;
    clip.name = table.text("name");
    clip.is_closed = table.boolean("closed", false);
    for (TableReader& key : table.tables("keys")) {
        body::Keyframe keyframe;
        keyframe.time = key.number("time", {.unit = "s", .min = 0, .max = 3600});
        if (clip.keys.empty() ? keyframe.time != 0 : !(keyframe.time > clip.keys.back().time))
            key.fail("time", clip.keys.empty() ? "of the first key must be 0"
                                               : fmt::format("must be later than that of the key before, {} s",
                                                             clip.keys.back().time));
        keyframe.root_translation = key.vector("root", {.unit = "m", .fallback = Vector3::Zero()});
        keyframe.angles = read_angles(key, {"time", "root"});
        key.finish();
        clip.keys.push_back(std::move(keyframe));
    }
    if (clip.keys.size() < 2) table.fail("keys", "must be a list of at least two tables");
    table.finish();
    return clip;
}

void read_mannequin(TableReader& table, BodySolid& body) {
    table.choice<int>("kind", {{"mannequin", 0}}, 0);
    for (TableReader& clip : table.tables("clips")) body.clips.push_back(read_clip(clip));
    if (!table.has("pose")) return;
    if (!body.clip.empty()) table.fail("pose", "is for a body that stands still; remove it, or 'clip'");
    TableReader pose = table.table("pose");
    body.angles = read_angles(pose, {});
    pose.finish();
}

}  // namespace

ColliderSettings read_body(TableReader table, const Vector3& up) {
    ColliderSettings collider;
    collider.name = "body";
    collider.where = table.where();
    BodySolid body;
    body.up = up;
    body.placement = table.has("file") ? read_mesh_placement(table) : read_placement(table);
    body.clip = table.text("clip", "");
    if (table.has("file"))
        table.exclude({"kind", "clips", "pose"}, "belongs to the mannequin; a body from a file has its own clips");
    else
        read_mannequin(table, body);
    body.lead_in = table.number("lead_in", {.unit = "s", .min = 0, .max = 3600, .fallback = body.lead_in});
    body.repeats = table.boolean("repeat", body.repeats);
    if (table.has("skinning"))
        body.skinning = table.choice<body::Skinning>(
            "skinning", {{"linear", body::Skinning::Linear}, {"dual_quaternions", body::Skinning::DualQuaternions}});
    collider.thickness = table.number("thickness", {.unit = "m", .min = 0, .max = 1, .fallback = collider.thickness});
    collider.friction = table.number("friction", {.min = 0, .max = 100, .fallback = 0.3});
    collider.shape = body;
    table.finish();
    return collider;
}

}  // namespace tulle::scene
