// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/character.h"
#include "tulle/collision/deforming_mesh.h"
#include "tulle/scene/scene.h"

#include <memory>

namespace tulle::scene {

// A body of a scene and how it moves.
class MovingBody {
public:
    // Throws an Error if the file, the clip or a joint is not there.
    explicit MovingBody(const BodySolid& solid);

    const body::Character& character() const { return character_; }
    body::Pose pose_at(double time) const;      // [s] of the scene
    Positions positions_at(double time) const;  // |V|×3 [m] in the world
    Positions positions_of(const body::Pose& pose) const;
    const Eigen::Affine3d& to_world() const { return to_world_; }  // from the character's own space
    const Matrix3& upright() const { return upright_; }  // likewise, only so that it stands with the scene's up

private:
    body::Pose clip_pose_at(double time) const;

    body::Character character_;
    body::Clip clip_;
    std::shared_ptr<const body::JointTurns> turns_;
    bool has_clip_ = false, repeats_ = true;
    double lead_in_ = 0;
    Matrix3 upright_ = Matrix3::Identity();
    Eigen::Affine3d to_world_ = Eigen::Affine3d::Identity();
};

// Throws an Error also if its surface is not closed.
std::unique_ptr<collision::DeformingMesh> make_body_mesh(const BodySolid& solid);

}  // namespace tulle::scene
