// SPDX-License-Identifier: Apache-2.0
// A coarse shirt on a coarse mannequin, and models of it whose networks learnt nothing.
#pragma once

#include "tests/neural/image_networks.h"
#include "tulle/body/mannequin.h"
#include "tulle/methods/garment/body_attachment.h"
#include "tulle/methods/garment/drape.h"
#include "tulle/methods/garment/garment_model.h"
#include "tulle/methods/garment/pose_inputs.h"

namespace tulle::methods::test {

inline const body::Character& mannequin() {
    static const body::Character made = body::make_mannequin({.edge_length = 0.045});
    return made;
}

inline const geometry::TriangleMesh& shirt_at_rest() {
    static const geometry::TriangleMesh rest = rest_shape(sew(t_shirt_pattern(), 0.04));
    return rest;
}

inline const geometry::TriangleMesh& worn_shirt() {
    static const geometry::TriangleMesh worn = [] {
        geometry::TriangleMesh mesh = shirt_at_rest();
        mesh.positions = put_on(sew(t_shirt_pattern(), 0.04), shirt_at_rest(),
                                {mannequin().skin.positions, mannequin().triangles, {}}, {.iterations = 60});
        return mesh;
    }();
    return worn;
}

// Offsets of about a centimetre around those at rest.
inline GarmentModel random_garment(const geometry::TriangleMesh& worn = worn_shirt(),
                                   const body::Character& character = mannequin()) {
    const BodyAttachment attachment = attach(worn, character);
    const Positions rest = character.posed(character.skeleton.rest_pose());
    GarmentModel model;
    model.source = "random";
    model.card = {.method = "garment", .scene = "shirt"};
    model.joints = body::mannequin_upper_joints();
    const int inputs = inputs_per_joint * static_cast<int>(model.joints.size());
    model.network = neural::test::random_image_network(
        {.inputs = inputs, .first_height = 4, .first_width = 4, .channels = {8, 8, 6}});
    model.input_low = Eigen::VectorXf::Constant(inputs, -1);
    model.input_high = Eigen::VectorXf::Constant(inputs, 1);
    model.mean_offsets = attachment.to_offsets(worn.positions, rest);
    model.offset_scale = 0.01;
    model.rest_places = attachment.wrapped(rest);
    return model;
}

// The same with a network that always answers zero.
inline GarmentModel silent_garment(const geometry::TriangleMesh& worn = worn_shirt()) {
    GarmentModel model = random_garment(worn);
    std::fill(model.network.layers.back().weights.begin(), model.network.layers.back().weights.end(), 0.0f);
    model.network.layers.back().bias.setZero();
    return model;
}

}  // namespace tulle::methods::test
