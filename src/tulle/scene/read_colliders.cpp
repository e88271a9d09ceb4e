// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/sections.h"

#include <algorithm>

namespace tulle::scene {

namespace {

using AnyShape = decltype(ColliderSettings::shape);
const NumberRule length = {.unit = "m", .max = 1e6, .positive = true};

AnyShape read_plane(TableReader& table, const Vector3& up) {
    return PlaneShape{.point = table.vector("point", {.unit = "m", .fallback = Vector3::Zero()}),
                      .normal = table.vector("normal", {.direction = true, .fallback = up})};
}

AnyShape read_sphere(TableReader& table, const Vector3&) {
    return SphereShape{.center = table.vector("center", {.unit = "m"}), .radius = table.number("radius", length)};
}

AnyShape read_capsule(TableReader& table, const Vector3&) {
    return CapsuleShape{.start = table.vector("start", {.unit = "m"}),
                        .end = table.vector("end", {.unit = "m"}),
                        .radius = table.number("radius", length)};
}

AnyShape read_box(TableReader& table, const Vector3&) {
    return BoxShape{.center = table.vector("center", {.unit = "m"}),
                    .size = table.vector("size", {.unit = "m", .positive = true}),
                    .orientation = read_rotation(table.table("rotation"))};
}

AnyShape read_solid_mesh(TableReader& table, const Vector3&) {
    SolidMesh mesh{.placement = read_mesh_placement(table), .voxel_size = {}};
    if (table.has("voxel_size")) mesh.voxel_size = table.number("voxel_size", {.unit = "m", .min = 1e-4, .max = 10});
    return mesh;
}

AnyShape read_deforming_solid(TableReader& table, const Vector3&) {
    table.exclude({"motion"}, "moves rigid colliders; a deforming one moves by its files");
    return read_deforming(table);
}

// Names become groups of a cache.
void check_name(TableReader& table, const std::string& name, const std::vector<ColliderSettings>& others) {
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), allowed))
        table.fail("name", "must be 1 to 64 letters, digits, '-' or '_'");
    if (std::any_of(others.begin(), others.end(), [&](const auto& other) { return other.name == name; }))
        table.fail("name", fmt::format("is '{}', which another collider has already", name));
}

ColliderSettings read_collider(TableReader& table, const Vector3& up, const std::vector<ColliderSettings>& others) {
    using Reader = AnyShape (*)(TableReader&, const Vector3&);
    const auto read_shape = table.choice<Reader>("shape", {{"plane", read_plane},
                                                           {"sphere", read_sphere},
                                                           {"capsule", read_capsule},
                                                           {"box", read_box},
                                                           {"mesh", read_solid_mesh},
                                                           {"deforming", read_deforming_solid}});
    ColliderSettings collider;
    collider.where = table.where();
    collider.name = table.text("name", fmt::format("{}-{}", table.text("shape"), others.size()));
    check_name(table, collider.name, others);
    collider.shape = read_shape(table, up);
    collider.motion = read_motion(table.table("motion"), up);
    collider.law = table.choice<collision::ContactLaw>(
        "contact", {{"position", collision::ContactLaw::Position}, {"velocity", collision::ContactLaw::Velocity}},
        collision::ContactLaw::Position);
    if (collider.law == collision::ContactLaw::Velocity)
        table.exclude({"thickness", "friction", "restitution"}, "belongs to contact = \"position\"");
    collider.thickness = table.number("thickness", {.unit = "m", .min = 0, .max = 1, .fallback = collider.thickness});
    collider.friction = table.number("friction", {.min = 0, .max = 100, .fallback = 0});
    collider.restitution = table.number("restitution", {.min = 0, .max = 1, .fallback = 0});
    collider.contact_drag = table.number("contact_drag", {.unit = "1/s", .min = 0, .fallback = 0});
    table.finish();
    return collider;
}

}  // namespace

std::vector<ColliderSettings> read_colliders(TableReader& root, const Vector3& up) {
    std::vector<ColliderSettings> colliders;
    for (TableReader& table : root.tables("colliders")) colliders.push_back(read_collider(table, up, colliders));
    return colliders;
}

}  // namespace tulle::scene
