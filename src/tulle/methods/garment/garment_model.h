// SPDX-License-Identifier: Apache-2.0
// A weights file of the garment method: a network from the pose of a body to a garment on it. Tensors: those of the
// network (neural/image_tensors.h); input_low and input_high (9|J|, F32); mean_offsets and rest_places (|V|×3, F32); mu
// (|V|, F32) if each vertex has its own. The family's part of its card:
//
//   {"joints": ["waist", …], "rotations": "from_root", "image": [64, 64], "offset_scale": 0.02,
//    "projection": {"quasistatic": {"mu": 0.1, "bending": 0.1, "axial": 0.1, "tolerance": 1e-6}}}
//
// Instead of quasistatic it may say {"inextensible": {"stretch": 0.01, "tolerance": 1e-6}}, both, or nothing.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/methods/garment/pose_inputs.h"
#include "tulle/methods/model_card.h"
#include "tulle/neural/image_network.h"
#include "tulle/projections/make_projection.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tulle::methods {

// Offsets of the vertices, in the frames of BodyAttachment: mean_offsets + offset_scale · what they read in the image
// (pattern_image.h) that the network makes of pose_inputs.h.
struct GarmentModel {
    std::string source;               // for messages
    ModelCard card;                   // whose family part is replaced when the model is saved
    std::vector<std::string> joints;  // |J|
    JointRotations rotations = JointRotations::FromRoot;
    neural::ImageNetwork network;           // 9|J| inputs, six channels
    Eigen::VectorXf input_low, input_high;  // 9|J|, over all poses it was trained on
    Positions mean_offsets;                 // |V|×3 [m]
    double offset_scale = 1;                // [m]
    Positions rest_places;                  // |V|×3 [m] BodyAttachment::wrapped of the resting body, in its own space
    projections::ProjectionSettings projection;  // what it was trained with
    VectorX mu;                                  // |V| μᵢ of quasistatics; empty: its settings'
};

// Throws an Error that names the source unless sizes fit each other and every number is sound.
void check(const GarmentModel& model);

// Throws an Error that names the file unless it is a sound garment model.
GarmentModel load_garment(const std::filesystem::path& file);
void save_garment(const std::filesystem::path& file, const GarmentModel& model);

// Throws an Error that names `source` unless the family's part of the card is sound.
void check_garment_card(const ModelCard& card, const std::string& source);

}  // namespace tulle::methods
