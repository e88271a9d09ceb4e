// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/datasets/sequence.h"
#include "tulle/geometry/triangle_mesh.h"
#include "tulle/methods/garment/body_attachment.h"
#include "tulle/methods/garment/garment_lesson.h"
#include "tulle/projections/cloth.h"
#include "tulle/scene/body_collider.h"

#include <memory>
#include <string>
#include <vector>

namespace tulle::scene {

// The body and the garment that draped poses are of, and what a network learns from each of them.
class DrapedLessons {
public:
    // As the scene of `first` says. Throws an Error that names it.
    explicit DrapedLessons(const datasets::DrapedExample& first);

    const std::vector<std::string>& joints() const { return joint_names_; }  // that were drawn
    const geometry::TriangleMesh& worn() const { return worn_; }             // on the body at rest
    const projections::Cloth& cloth() const { return cloth_; }
    const body::Character& character() const { return body_->character(); }
    Positions rest_places() const;   // |V|×3 [m] r̃ on the body at rest
    Positions rest_offsets() const;  // |V|×3 [m] d of the garment as it lies on the body at rest

    body::Pose pose_of(const io::DrapedPose& drape) const;
    // Throws an Error that names the example if it is of another garment or other joints.
    methods::GarmentExample example(const datasets::DrapedExample& drape, methods::JointRotations rotations) const;
    methods::GarmentExamples examples(const std::vector<datasets::DrapedExample>& drapes,
                                      const std::vector<size_t>& part, methods::JointRotations rotations) const;
    // The same as a mirror shows them, on the body in the pose that it shows. Throws an Error unless the joints of
    // the body and the pattern of the garment are their own mirror images.
    methods::GarmentExamples mirrored_examples(const std::vector<datasets::DrapedExample>& drapes,
                                               const std::vector<size_t>& part,
                                               methods::JointRotations rotations) const;

private:
    void check(const datasets::DrapedExample& drape) const;
    void check_symmetry() const;
    body::Pose pose_of(const std::vector<body::NamedAngles>& angles) const;
    Positions own_positions(const io::DrapedPose& drape) const;  // |V|×3 [m] in the character's own space
    methods::GarmentExample example(const std::vector<body::NamedAngles>& angles, const Positions& garment,
                                    methods::JointRotations rotations) const;

    std::unique_ptr<const MovingBody> body_;
    geometry::TriangleMesh worn_;  // in the character's own space
    projections::Cloth cloth_;
    std::unique_ptr<const methods::BodyAttachment> attachment_;
    std::vector<std::string> joint_names_;
    std::vector<int> joints_;  // in the skeleton
};

}  // namespace tulle::scene
