// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/character.h"
#include "tulle/methods/garment/body_attachment.h"
#include "tulle/methods/garment/garment_model.h"
#include "tulle/methods/garment/pattern_image.h"
#include "tulle/neural/fused_image_network.h"

namespace tulle::methods {

// A garment on a character in any pose, by its network and without physics.
class InferredGarment {
public:
    // `worn` lies on the character as it rests, in the character's own space. Throws an Error if the model was trained
    // on another garment or another body. The character must outlive this.
    InferredGarment(const GarmentModel& model, const geometry::TriangleMesh& worn, const body::Character& character);

    struct [[nodiscard]] Answer {
        Positions positions;      // |V|×3 [m] in the character's own space
        bool is_outside = false;  // the pose is far from all that the network was trained on
    };

    // Of a pose outside the network is told the nearest numbers that it may be told. Throws an Error if its answer is
    // not finite.
    Answer infer(const body::Pose& pose) const;

private:
    const body::Character& character_;
    std::string source_;
    std::vector<int> joints_;
    JointRotations rotations_;
    BodyAttachment attachment_;
    neural::FusedImageNetwork network_;
    PatternImage images_;
    Eigen::VectorXf input_low_, input_high_;  // 9|J| what the network may be told
    Positions mean_offsets_;                  // |V|×3 [m]
    double offset_scale_;                     // [m]
};

}  // namespace tulle::methods
