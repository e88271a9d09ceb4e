// SPDX-License-Identifier: Apache-2.0
// The sections of a scene file, one reader each. docs/scenes.md lists their keys; a test compares.
#pragma once

#include "tulle/scene/scene.h"
#include "tulle/scene/table_reader.h"

namespace tulle::scene {

Scene read_scene(TableReader& root);

GarmentSection read_garment(TableReader garment);
// A garment says where the cloth's shape comes from; null: [cloth] does.
ClothSettings read_cloth(TableReader cloth, const Vector3& up, const GarmentSection* garment);
std::vector<PinSettings> read_pins(TableReader& root, const Vector3& up);
std::vector<ColliderSettings> read_colliders(TableReader& root, const Vector3& up);
ColliderSettings read_body(TableReader body, const Vector3& up);
physics::WindSettings read_wind(TableReader wind, const Scene& scene);
collision::SelfContactSettings read_self_contact(TableReader self);
ProjectionSection read_projection(TableReader projection);

// Keys that several sections share.
MeshPlacement read_mesh_placement(TableReader& table);                     // file, scale, rotation, translation
MeshPlacement read_placement(TableReader& table);                          // the same without the file
DeformingSolid read_deforming(TableReader& table);                         // files, frame_rate, and a placement
Matrix3 read_rotation(TableReader rotation);                               // axis, angle_degrees
geometry::RigidMotion read_motion(TableReader motion, const Vector3& up);  // keyframes, axis, center

}  // namespace tulle::scene
