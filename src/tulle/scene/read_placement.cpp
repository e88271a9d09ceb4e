// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sections.h"

#include <numbers>

namespace tulle::scene {

namespace {

constexpr double radians_per_degree = std::numbers::pi / 180;

}  // namespace

Matrix3 read_rotation(TableReader rotation) {
    const Vector3 axis = rotation.vector("axis", {.direction = true, .fallback = Vector3::UnitZ()});
    const double degrees = rotation.number("angle_degrees", {.unit = "degrees", .fallback = 0});
    rotation.finish();
    return Eigen::AngleAxisd(degrees * radians_per_degree, axis).toRotationMatrix();
}

MeshPlacement read_mesh_placement(TableReader& table) {
    const std::filesystem::path file = table.file("file");
    MeshPlacement placement = read_placement(table);
    placement.file = file;
    return placement;
}

MeshPlacement read_placement(TableReader& table) {
    MeshPlacement placement;
    placement.scale = table.number("scale", {.max = 1e6, .positive = true, .fallback = 1});
    placement.rotation = read_rotation(table.table("rotation"));
    placement.translation = table.vector("translation", {.unit = "m", .fallback = Vector3::Zero()});
    return placement;
}

geometry::RigidMotion read_motion(TableReader table, const Vector3& up) {
    geometry::RigidMotion motion;
    motion.center = table.vector("center", {.unit = "m", .fallback = Vector3::Zero()});
    motion.axis = table.vector("axis", {.direction = true, .fallback = up});
    for (TableReader& keyframe : table.tables("keyframes")) {
        const double time = keyframe.number("time", {.unit = "s", .min = 0});
        if (!motion.keyframes.empty() && !(time > motion.keyframes.back().time))
            keyframe.fail("time", fmt::format("must be later than that of the keyframe before, {} s",
                                              motion.keyframes.back().time));
        const Vector3 translation = keyframe.vector("translation", {.unit = "m", .fallback = Vector3::Zero()});
        const double degrees = keyframe.number("angle_degrees", {.unit = "degrees", .fallback = 0});
        keyframe.finish();
        motion.keyframes.push_back({time, translation, degrees * radians_per_degree});
    }
    if (motion.keyframes.empty())
        table.exclude({"center", "axis"}, "turns nothing without 'keyframes'; add them or remove it");
    table.finish();
    return motion;
}

}  // namespace tulle::scene
