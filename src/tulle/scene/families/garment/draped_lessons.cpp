// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/garment/draped_lessons.h"

#include "tulle/body/mirrored_angles.h"
#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/garment/pattern_mirror.h"
#include "tulle/methods/garment/pose_inputs.h"
#include "tulle/scene/build.h"
#include "tulle/scene/families/garment/worn_garment.h"

namespace tulle::scene {

namespace {

std::vector<std::string> joints_of(const io::DrapedPose& drape) {
    std::vector<std::string> joints;
    for (const auto& [name, angles] : drape.angles) joints.push_back(name);
    return joints;
}

}  // namespace

DrapedLessons::DrapedLessons(const datasets::DrapedExample& first) : joint_names_(joints_of(first.drape)) {
    const Scene scene = parse_scene(first.drape.scene, first.name, first.scene_folder);
    const physics::ClothModel model = make_model(scene);
    body_ = std::make_unique<const MovingBody>(wearer(scene));
    worn_ = worn_garment(scene, *body_);
    cloth_ = cloth_to_project(model);
    attachment_ = std::make_unique<const methods::BodyAttachment>(methods::attach(worn_, character()));
    joints_ = methods::find_joints(character().skeleton, joint_names_, first.name);
}

Positions DrapedLessons::rest_places() const {
    return attachment_->wrapped(character().posed(character().skeleton.rest_pose()));
}

Positions DrapedLessons::rest_offsets() const {
    return attachment_->to_offsets(worn_.positions, character().posed(character().skeleton.rest_pose()));
}

body::Pose DrapedLessons::pose_of(const io::DrapedPose& drape) const { return pose_of(drape.angles); }

body::Pose DrapedLessons::pose_of(const std::vector<body::NamedAngles>& angles) const {
    body::Pose pose = character().skeleton.rest_pose();
    for (size_t j = 0; j < joints_.size(); ++j) turn(character().skeleton, joints_[j], angles[j].second, pose);
    return pose;
}

void DrapedLessons::check(const datasets::DrapedExample& drape) const {
    if (drape.drape.positions.rows() != worn_.vertex_count() || joints_of(drape.drape) != joint_names_)
        throw Error(
            "'{}' is of another garment or other joints than the poses before it; keep each in a folder of its own",
            drape.name);
}

Positions DrapedLessons::own_positions(const io::DrapedPose& drape) const {
    const Eigen::Affine3d to_body = body_->to_world().inverse();
    Positions own = drape.positions.cast<double>() * to_body.linear().transpose();
    own.rowwise() += to_body.translation().transpose();
    return own;
}

methods::GarmentExample DrapedLessons::example(const std::vector<body::NamedAngles>& angles, const Positions& garment,
                                               methods::JointRotations rotations) const {
    const body::Pose pose = pose_of(angles);
    const Positions body = character().posed(pose);
    methods::GarmentExample example{.inputs = methods::pose_inputs(character().skeleton, joints_, pose, rotations),
                                    .places = attachment_->wrapped(body).cast<float>(),
                                    .frames = Rows<float, 9>(garment.rows(), 9),
                                    .positions = garment.cast<float>()};
    const std::vector<Matrix3> frames = attachment_->frames(body);
    for (long v = 0; v < garment.rows(); ++v) {
        const Rows<float, 3> rows = frames[static_cast<size_t>(v)].cast<float>();
        example.frames.row(v) = rows.reshaped<Eigen::RowMajor>().transpose();
    }
    return example;
}

methods::GarmentExample DrapedLessons::example(const datasets::DrapedExample& drape,
                                               methods::JointRotations rotations) const {
    check(drape);
    return example(drape.drape.angles, own_positions(drape.drape), rotations);
}

methods::GarmentExamples DrapedLessons::examples(const std::vector<datasets::DrapedExample>& drapes,
                                                 const std::vector<size_t>& part,
                                                 methods::JointRotations rotations) const {
    methods::GarmentExamples result(part.size());
    parallel_tasks(static_cast<long>(part.size()), [&](long i) {
        const auto index = static_cast<size_t>(i);
        result[index] = example(drapes[part[index]], rotations);
    });
    return result;
}

void DrapedLessons::check_symmetry() const {
    constexpr double within = 1e-3;  // [m]
    const body::Skeleton& skeleton = character().skeleton;
    const body::Affines placed = skeleton.place(skeleton.rest_pose());
    for (const std::string& name : joint_names_) {
        const Vector3 place = placed[static_cast<size_t>(skeleton.find(name))].translation();
        const int other = skeleton.find(body::mirrored_joint(name));
        if (other < 0 ||
            (placed[static_cast<size_t>(other)].translation() - Vector3(-place.x(), place.y(), place.z())).norm() >
                within)
            throw Error("the body is not its own mirror image at x = 0: look at its joint '{}'; leave out `mirror`",
                        name);
    }
}

methods::GarmentExamples DrapedLessons::mirrored_examples(const std::vector<datasets::DrapedExample>& drapes,
                                                          const std::vector<size_t>& part,
                                                          methods::JointRotations rotations) const {
    check_symmetry();
    const methods::PatternMirror mirror(worn_.tex_coords, worn_.triangles);
    methods::GarmentExamples result(part.size());
    parallel_tasks(static_cast<long>(part.size()), [&](long i) {
        const datasets::DrapedExample& drape = drapes[part[static_cast<size_t>(i)]];
        check(drape);
        result[static_cast<size_t>(i)] =
            example(body::mirrored_angles(drape.drape.angles), mirror.mirrored(own_positions(drape.drape)), rotations);
    });
    return result;
}

}  // namespace tulle::scene
