// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/garment_stepper.h"
#include "tests/methods/garment/dressed.h"
#include "tests/support/error_of.h"
#include "tulle/body/keyframes.h"
#include "tulle/core/parallel.h"

#include <doctest/doctest.h>

#include <numbers>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

body::Pose rest_pose() { return mannequin().skeleton.rest_pose(); }
body::Pose some_pose(std::uint64_t seed) {
    return body::random_pose(mannequin().skeleton, body::mannequin_upper_joints(), seed);
}

physics::ClothModel shirt_model() {
    physics::ClothModel model;
    model.mesh = shirt_at_rest();
    model.start_positions = worn_shirt().positions;
    model.masses = VectorX::Ones(model.mesh.vertex_count());
    return model;
}

// Turns from one pose to another in each second.
struct Fitting {
    physics::ClothModel model = shirt_model();
    physics::World world = {.colliders = std::make_shared<const collision::Colliders>()};
    GarmentModel network = random_garment();
    Eigen::Affine3d to_world = Eigen::Affine3d::Identity();
    projections::ProjectionSettings projection;

    std::unique_ptr<GarmentStepper> stepper() const {
        WearersMotion motion{[](double time) { return body::blend(some_pose(3), some_pose(4), time); }, to_world};
        GarmentFinish finish{.projection = projections::make_projection(
                                 {model.mesh.positions, model.mesh.triangles, model.masses, {}}, projection),
                             .mu = {}};
        return std::make_unique<GarmentStepper>(std::make_unique<InferredGarment>(network, worn_shirt(), mannequin()),
                                                std::move(motion), std::move(finish), model, world);
    }
    physics::ClothState start() const {
        return {worn_shirt().positions, Velocities::Zero(worn_shirt().vertex_count(), 3), 0};
    }
};

}  // namespace

TEST_CASE("A network that answers zero shows the garment that is worn, and lets it follow the body") {
    const InferredGarment garment(silent_garment(), worn_shirt(), mannequin());
    const InferredGarment::Answer rest = garment.infer(rest_pose());
    CHECK((rest.positions - worn_shirt().positions).cwiseAbs().maxCoeff() < 1e-6);
    CHECK_FALSE(rest.is_outside);
    const BodyAttachment attachment = attach(worn_shirt(), mannequin());
    const Positions offsets = attachment.to_offsets(worn_shirt().positions, mannequin().posed(rest_pose()));
    const Positions expected = attachment.from_offsets(offsets, mannequin().posed(some_pose(1)));
    CHECK((garment.infer(some_pose(1)).positions - expected).cwiseAbs().maxCoeff() < 1e-6);
}

TEST_CASE("A root that turns and moves turns and moves the garment with it") {
    const InferredGarment garment(random_garment(), worn_shirt(), mannequin());
    body::Pose pose = some_pose(2);
    const Positions before = garment.infer(pose).positions;
    const Eigen::Affine3d root_before(pose[0].matrix());
    pose[0].rotation = Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()) * pose[0].rotation;
    pose[0].translation += Vector3(0.5, -1, 2);
    const Eigen::Affine3d motion = Eigen::Affine3d(pose[0].matrix()) * root_before.inverse();
    Positions expected = before * motion.linear().transpose();
    expected.rowwise() += motion.translation().transpose();
    CHECK((garment.infer(pose).positions - expected).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("A pose far outside of what was trained is told as such, and its garment is finite") {
    GarmentModel model = random_garment();
    model.input_low.setConstant(-0.2f);
    for (long k = 0; k < model.input_low.size(); k += 9)
        for (const long diagonal : {0, 4, 8}) model.input_low(k + diagonal) = 0.9f;
    const InferredGarment garment(model, worn_shirt(), mannequin());
    CHECK_FALSE(garment.infer(rest_pose()).is_outside);
    body::Pose pose = rest_pose();
    for (body::JointTransform& joint : pose)
        joint.rotation = joint.rotation * Eigen::AngleAxisd(std::numbers::pi, Vector3::UnitX());
    const InferredGarment::Answer answer = garment.infer(pose);
    CHECK(answer.is_outside);
    CHECK(answer.positions.allFinite());
    CHECK(answer.positions.cwiseAbs().maxCoeff() < 5);
}

TEST_CASE("A network that overflows is refused in one sentence") {
    GarmentModel model = random_garment();
    for (neural::TransposedConvolution& layer : model.network.layers)
        for (float& weight : layer.weights) weight *= 1e30f;
    const InferredGarment garment(model, worn_shirt(), mannequin());
    CHECK(contains(error_of([&] { (void)garment.infer(some_pose(1)); }), "not finite"));
}

TEST_CASE("Another garment or another body is refused in one sentence") {
    const GarmentModel model = random_garment();
    const geometry::TriangleMesh other = rest_shape(sew(t_shirt_pattern(), 0.05));
    CHECK(contains(error_of([&] { (void)InferredGarment(model, other, mannequin()); }), "vertices"));
    geometry::TriangleMesh lower = worn_shirt();
    lower.positions.col(2).array() -= 0.05;
    CHECK(contains(error_of([&] { (void)InferredGarment(model, lower, mannequin()); }), "another shape"));
    body::Character other_body = mannequin();
    other_body.skeleton.joints[static_cast<size_t>(other_body.skeleton.find("chest"))].name = "thorax";
    CHECK(contains(error_of([&] { (void)InferredGarment(model, worn_shirt(), other_body); }), "'chest'"));
}

TEST_CASE("A body that is placed elsewhere has its garment there, with a projection too") {
    for (const bool is_projected : {false, true}) {
        Fitting fitting;
        if (is_projected) fitting.projection.quasistatics.emplace();
        physics::ClothState plain = fitting.start();
        (void)fitting.stepper()->advance(plain, 1.0 / 30, 1);
        fitting.to_world = Eigen::Translation3d(1, -2, 0.5) * Eigen::AngleAxisd(0.8, Vector3(0, 1, 1).normalized());
        physics::ClothState placed = fitting.start();
        (void)fitting.stepper()->advance(placed, 1.0 / 30, 1);
        Positions expected = plain.positions * fitting.to_world.linear().transpose();
        expected.rowwise() += fitting.to_world.translation().transpose();
        CHECK((placed.positions - expected).cwiseAbs().maxCoeff() < (is_projected ? 1e-4 : 1e-12));
    }
}

TEST_CASE("A projection takes stretch away, and a run that is interrupted goes on with the same bits") {
    Fitting fitting;
    fitting.projection.inextensibility = {.stretch = 0.05};
    const std::unique_ptr<GarmentStepper> stepper = fitting.stepper();
    physics::ClothState state = fitting.start();
    (void)stepper->advance(state, 1.0 / 30, 1);
    const physics::ClothState middle = state;
    const std::vector<std::byte> memory = stepper->memory();
    const physics::StepReport report = stepper->advance(state, 1.0 / 30, 1);
    CHECK(state.time == doctest::Approx(2.0 / 30));
    CHECK((state.velocities * (1.0 / 30) - (state.positions - middle.positions)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(report.counters.of("unsolved_projections") == 0);
    const Edges edges = geometry::mesh_edges(shirt_at_rest()).edges;
    for (const auto& edge : edges.rowwise()) {
        const double rest = (shirt_at_rest().positions.row(edge(0)) - shirt_at_rest().positions.row(edge(1))).norm();
        CHECK((state.positions.row(edge(0)) - state.positions.row(edge(1))).norm() < 1.0501 * rest);
    }
    const std::unique_ptr<GarmentStepper> resumed = fitting.stepper();
    resumed->set_memory(memory);
    physics::ClothState again = middle;
    (void)resumed->advance(again, 1.0 / 30, 1);
    CHECK(again.positions == state.positions);
}

TEST_CASE("A garment has the same bits on 1, 2, 3 and 8 threads") {
    const InferredGarment garment(random_garment(), worn_shirt(), mannequin());
    const Positions expected = garment.infer(some_pose(5)).positions;
    for (const int threads : {1, 2, 3, 8}) {
        const ThreadCountScope scope(threads);
        CHECK(garment.infer(some_pose(5)).positions == expected);
    }
}
