// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/inferred_garment.h"

#include "tulle/core/error.h"

namespace tulle::methods {

namespace {

// How far a number of a rotation matrix may be outside of what was trained: 0.1 is 6° where it changes fastest.
constexpr float margin = 0.1f;
constexpr double same_place = 1e-3;  // [m]

const GarmentModel& checked(const GarmentModel& model, const geometry::TriangleMesh& worn) {
    if (model.mean_offsets.rows() != worn.vertex_count())
        throw Error("'{}' was trained on a garment of {} vertices, but this one has {}; train one for it", model.source,
                    model.mean_offsets.rows(), worn.vertex_count());
    return model;
}

}  // namespace

InferredGarment::InferredGarment(const GarmentModel& model, const geometry::TriangleMesh& worn,
                                 const body::Character& character)
    : character_(character),
      source_(checked(model, worn).source),
      joints_(find_joints(character.skeleton, model.joints, model.source)),
      rotations_(model.rotations),
      attachment_(attach(worn, character)),
      network_(model.network),
      images_(worn.tex_coords, worn.triangles, model.network.height(), model.network.width()),
      input_low_(model.input_low.array() - margin),
      input_high_(model.input_high.array() + margin),
      mean_offsets_(model.mean_offsets),
      offset_scale_(model.offset_scale) {
    const Positions places = attachment_.wrapped(character.posed(character.skeleton.rest_pose()));
    if ((places - model.rest_places).cwiseAbs().maxCoeff() > same_place)
        throw Error("'{}' was trained on a garment or a body of another shape; train one for this one", model.source);
}

InferredGarment::Answer InferredGarment::infer(const body::Pose& pose) const {
    const Eigen::VectorXf told = pose_inputs(character_.skeleton, joints_, pose, rotations_);
    const Eigen::VectorXf inputs = told.cwiseMax(input_low_).cwiseMin(input_high_);
    std::vector<float> image(static_cast<size_t>(images_.size()));
    network_.evaluate({inputs.data(), static_cast<size_t>(inputs.size())}, image);
    const Positions offsets = mean_offsets_ + offset_scale_ * images_.read(image);
    if (!offsets.allFinite())
        throw Error("'{}' gives a number that is not finite for this pose; train it again", source_);
    return {.positions = attachment_.from_offsets(offsets, character_.posed(pose)), .is_outside = inputs != told};
}

}  // namespace tulle::methods
