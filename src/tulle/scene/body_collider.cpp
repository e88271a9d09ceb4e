// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/body_collider.h"

#include "tulle/body/mannequin.h"
#include "tulle/collision/closed_mesh.h"
#include "tulle/core/error.h"
#include "tulle/io/read_gltf.h"
#include "tulle/scene/nearest.h"

namespace tulle::scene {

namespace {

bool is_mannequin(const BodySolid& solid) { return solid.placement.file.empty(); }

// Made once for all scenes: it takes most of a second.
const body::Character& shared_mannequin() {
    static const body::Character made = body::make_mannequin();
    return made;
}

body::Character load(const BodySolid& solid) {
    body::Character character =
        is_mannequin(solid) ? shared_mannequin() : io::read_gltf_character(solid.placement.file);
    if (solid.skinning) character.skinning = *solid.skinning;
    for (const body::Keyframes& keyframes : solid.clips)
        character.clips.insert(character.clips.begin(), body::make_clip(character.skeleton, keyframes));
    return character;
}

const body::Clip& find_clip(const body::Character& character, const std::string& name) {
    std::vector<std::string> names;
    for (const body::Clip& clip : character.clips) {
        if (clip.name == name) return clip;
        names.push_back(clip.name);
    }
    if (names.empty()) throw Error("the body has no clips, so none is called '{}'", name);
    throw Error("the body has no clip '{}'{}", name, suggestion(name, names));
}

// The mannequin has z up, glTF has y up; both stand on the ground.
Matrix3 upright(const BodySolid& solid) {
    const Vector3 own_up = is_mannequin(solid) ? Vector3::UnitZ() : Vector3::UnitY();
    return Eigen::Quaterniond::FromTwoVectors(own_up, solid.up).toRotationMatrix();
}

double eased(double part) { return part * part * (3 - 2 * part); }

}  // namespace

MovingBody::MovingBody(const BodySolid& solid)
    : character_(load(solid)),
      turns_(solid.turns),
      repeats_(solid.repeats),
      lead_in_(solid.lead_in),
      upright_(scene::upright(solid)) {
    const MeshPlacement& placement = solid.placement;
    to_world_.linear() = placement.scale * placement.rotation * upright_;
    to_world_.translation() = placement.translation;
    if (!solid.clip.empty()) {
        clip_ = find_clip(character_, solid.clip);
        has_clip_ = true;
    } else if (!solid.angles.empty()) {
        clip_ = body::make_reach(character_.skeleton, solid.angles, solid.lead_in);
    }
}

body::Pose MovingBody::pose_at(double time) const {
    body::Pose pose = clip_pose_at(time);
    if (turns_) turns_->apply(character_.skeleton, time, pose);
    return pose;
}

body::Pose MovingBody::clip_pose_at(double time) const {
    const body::Skeleton& skeleton = character_.skeleton;
    if (!has_clip_) return clip_.at(skeleton, time);
    if (time < lead_in_) {
        const double part = eased(std::max(time, 0.0) / lead_in_);
        return body::blend(skeleton.rest_pose(), clip_.at(skeleton, 0), part);
    }
    return repeats_ ? clip_.repeated_at(skeleton, time - lead_in_) : clip_.at(skeleton, time - lead_in_);
}

Positions MovingBody::positions_of(const body::Pose& pose) const {
    Positions placed = character_.posed(pose) * to_world_.linear().transpose();
    placed.rowwise() += to_world_.translation().transpose();
    return placed;
}

Positions MovingBody::positions_at(double time) const { return positions_of(pose_at(time)); }

std::unique_ptr<collision::DeformingMesh> make_body_mesh(const BodySolid& solid) {
    const auto moving = std::make_shared<const MovingBody>(solid);  // shared: std::function copies what it holds
    const Positions start = moving->positions_at(0);
    const geometry::TriangleMesh outward = collision::closed_mesh({start, moving->character().triangles, {}});
    geometry::DeformingMotion motion{
        .times = {0}, .positions = {start}, .at_time = [moving](double time) { return moving->positions_at(time); }};
    return std::make_unique<collision::DeformingMesh>(outward.triangles, std::move(motion));
}

}  // namespace tulle::scene
