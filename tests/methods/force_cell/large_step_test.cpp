// SPDX-License-Identifier: Apache-2.0
// Larger steps: the layer, and both twins of the step.
#include "tulle/methods/force_cell/large_step.h"

#include "tests/methods/force_cell/cells.h"
#include "tests/support/error_of.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/force_cell/box_laplacian.h"
#include "tulle/methods/force_cell/large_step_grid.h"
#include "tulle/methods/force_cell/large_step_stepper.h"
#include "tulle/physics/forces/gravity.h"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>

#include <cmath>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using tulle::test::contains;
using tulle::test::error_of;

namespace {

// A layer of eight steps that is stable on example_cloth at this step: p falls from 1 to 0.1, r rises and falls.
constexpr double time_step = 0.045;  // [s]; springs in all directions alone would allow 0.034

LargeStep example_layer() {
    LargeStep layer{.steps = 8, .time_step = time_step, .all_ways = VectorX(3), .across = VectorX(3)};
    layer.all_ways << 0.4, 0.45, 0.15;  // (1 − s)-like: p(0) = 1, p(1) = 0.1
    layer.across << 0.05, 0, -0.05;     // 0.1 · 4 s (1 − s)
    return layer;
}

physics::ClothModel with_pins(bool with_hole) {
    physics::ClothModel model = example_cloth(with_hole);
    tulle::test::pin(model, {0, 5, 100});
    return model;
}

Eigen::MatrixXd as_matrix(const BoxLaplacian& laplacian, long size) {
    Eigen::MatrixXd result;
    laplacian.apply(Eigen::MatrixXd::Identity(size, size), result);
    // The columns of pinned vertices are not part of it.
    for (long v = 0; v < size; ++v)
        if (!laplacian.moves()[static_cast<size_t>(v)]) result.col(v).setZero();
    return result;
}

// Σ k (yᵢ − yⱼ) / m, pinned rows and columns zero.
Eigen::MatrixXd isotropic_stiffness(const physics::ClothModel& model) {
    const std::vector<bool> pinned = model.pinned();
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(model.vertex_count(), model.vertex_count());
    for (long e = 0; e < model.springs.count(); ++e) {
        const int i = model.springs.edges(e, 0), j = model.springs.edges(e, 1);
        const double k = model.springs.stiffness(e) / model.masses(i);
        for (const auto& [a, b] : {std::pair{i, j}, {j, i}}) {
            if (pinned[static_cast<size_t>(a)]) continue;
            result(a, a) += k;
            if (!pinned[static_cast<size_t>(b)]) result(a, b) -= k;
        }
    }
    return result;
}

physics::World windless_world() {
    physics::World world = world_with(gravity);
    world.drag_rate = 0.7;
    return world;
}

std::unique_ptr<physics::Stepper> make_stepper(const physics::ClothModel& model, const physics::World& world,
                                               bool reference = false) {
    return make_large_step(model, world, forces_outside(world, model), exact_cell(model, world.gravity, 0),
                           example_layer(), {.reference = reference});
}

}  // namespace

TEST_CASE("The box Laplacian is symmetric, has eigenvalues from 0 to 1 and does not see what all vertices share") {
    for (const bool with_hole : {false, true})
        for (const bool pinned : {false, true}) {
            const physics::ClothModel model = pinned ? with_pins(with_hole) : example_cloth(with_hole);
            const BoxLaplacian laplacian(model);
            const Eigen::MatrixXd matrix = as_matrix(laplacian, model.vertex_count());
            CHECK((matrix - matrix.transpose()).cwiseAbs().maxCoeff() < 1e-14);
            const VectorX values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues();
            CHECK(values.minCoeff() > -1e-12);
            CHECK(values.maxCoeff() < 1);
            CHECK(values.maxCoeff() > 0.5);
            Eigen::MatrixXd result;
            laplacian.apply(Eigen::MatrixXd::Ones(model.vertex_count(), 1), result);
            if (!pinned) CHECK(result.cwiseAbs().maxCoeff() < 1e-14);
        }
}

TEST_CASE("Inside a large cloth the box Laplacian has the eigenvalues of waves") {
    const physics::ClothModel model = tulle::test::grid_cloth({.rows = 41, .columns = 41});
    const BoxLaplacian laplacian(model);
    for (const auto& [a, b] : {std::pair{0.3, 0.0}, {1.0, 2.0}, {3.0, 0.4}}) {
        Eigen::MatrixXd wave(model.vertex_count(), 1), result;
        for (int r = 0; r < 41; ++r)
            for (int c = 0; c < 41; ++c) wave(r * 41 + c, 0) = std::cos(a * (r - 20) + b * (c - 20));
        laplacian.apply(wave, result);
        CHECK(result(20 * 41 + 20, 0) == doctest::Approx(BoxLaplacian::of_wave(a, b)));
    }
}

TEST_CASE("A polynomial of the box Laplacian is that polynomial of its eigenvalues") {
    const physics::ClothModel model = with_pins(true);
    const BoxLaplacian laplacian(model);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(as_matrix(laplacian, model.vertex_count()));
    VectorX coefficients(6);
    coefficients << 0.3, -0.2, 0.7, 0.1, -0.4, 0.25;
    Eigen::MatrixXd y = Eigen::MatrixXd::Random(model.vertex_count(), 3);
    for (long v = 0; v < y.rows(); ++v)
        if (!laplacian.moves()[static_cast<size_t>(v)]) y.row(v).setZero();
    const VectorX factors = modes.eigenvalues().unaryExpr([&](double s) { return polynomial_at(coefficients, s); });
    const Eigen::MatrixXd expected = modes.eigenvectors() * factors.asDiagonal() * modes.eigenvectors().transpose() * y;
    CHECK((laplacian.polynomial(coefficients, y) - expected).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("A layer that is found stable keeps springs that pull in all directions stable, at borders, holes and pins") {
    const LargeStep layer = example_layer();
    for (const bool with_hole : {false, true})
        for (const bool pinned : {false, true}) {
            const physics::ClothModel model = pinned ? with_pins(with_hole) : example_cloth(with_hole);
            require_stable(layer, large_step_material(model));
            const BoxLaplacian laplacian(model);
            const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(as_matrix(laplacian, model.vertex_count()));
            const Eigen::MatrixXd root =
                modes.eigenvectors() *
                modes.eigenvalues()
                    .unaryExpr([&](double s) { return std::sqrt(polynomial_at(layer.all_ways, s)); })
                    .asDiagonal() *
                modes.eigenvectors().transpose();
            const Eigen::MatrixXd stiffness = isotropic_stiffness(model);
            const auto stiffest = [&](const Eigen::MatrixXd& matrix) {
                return time_step * time_step *
                       Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix).eigenvalues().maxCoeff();
            };
            CHECK(stiffest(root * stiffness * root) < 4);
            CHECK(stiffest(stiffness) > 4);  // else there was nothing to do
        }
}

TEST_CASE("Layers that would not be stable, or would move the whole cloth otherwise, are refused") {
    const LargeStepMaterial material = large_step_material(example_cloth());
    const auto refusal = [&](auto change) {
        LargeStep layer = example_layer();
        change(layer);
        return error_of([&] { require_stable(layer, material); });
    };
    CHECK(contains(refusal([](LargeStep& layer) { layer.time_step *= 3; }), "would not be stable"));
    CHECK(contains(refusal([](LargeStep& layer) { layer.all_ways(0) += 0.1; }), "change what the whole cloth does"));
    CHECK(contains(refusal([](LargeStep& layer) { layer.all_ways << 0, 1, 0; }), "push the wrong way"));
    CHECK(contains(refusal([](LargeStep& layer) { layer.across *= -1; }), "push the wrong way"));
    CHECK(contains(refusal([](LargeStep& layer) { layer.across.conservativeResize(2); }), "degree below two"));
    CHECK(contains(refusal([](LargeStep& layer) { layer.across(1) = NAN; }), "not finite"));
    physics::ClothModel uneven = example_cloth();
    uneven.masses(7) *= 2;
    CHECK(contains(error_of([&] { large_step_material(uneven); }), "of one mass"));
}

TEST_CASE("The fused large step equals its plain twin, with holes, pins and either kernel") {
    for (const bool with_hole : {false, true}) {
        const physics::ClothModel model = with_pins(with_hole);
        const physics::World world = windless_world();
        for (const large_step::Kernel kernel : {large_step::portable_kernel(), large_step::best_kernel()}) {
            const ForceCell cell = exact_cell(model, world.gravity, 0);
            physics::ForceList forces;
            forces.push_back(std::make_unique<physics::Gravity>(model, cell.bias));
            LargeStepGrid fused(model, world, std::move(forces), kernel_directions(cell), example_layer(), kernel, "");
            const auto plain = make_stepper(model, world, /*reference=*/true);
            physics::ClothState a = random_state(model), b = a;
            for (int i = 0; i < 4; ++i) {
                static_cast<void>(fused.advance(a, time_step, 1));
                static_cast<void>(plain->advance(b, time_step, 1));
                CHECK((a.positions - b.positions).cwiseAbs().maxCoeff() < 2e-6);
                CHECK((a.velocities - b.velocities).cwiseAbs().maxCoeff() < 2e-4);
            }
            CHECK((b.velocities - random_state(model).velocities).cwiseAbs().maxCoeff() > 1);
        }
    }
}

TEST_CASE("The fused large step equals its plain twin under pressure on any width") {
    for (const int columns : {3, 8, 15, 16, 17, 33}) {
        physics::ClothModel model =
            tulle::test::grid_cloth({.rows = 7, .columns = columns, .mass = 0.4, .stretch = 120, .bend = 7});
        tulle::test::pin(model, {0, columns - 1});
        physics::World world = windless_world();
        world.pressure = 30;
        const auto fused = make_stepper(model, world), plain = make_stepper(model, world, /*reference=*/true);
        CHECK(fused->note().empty());
        physics::ClothState a = random_state(model), b = a;
        static_cast<void>(fused->advance(a, time_step, 3));
        static_cast<void>(plain->advance(b, time_step, 3));
        CHECK((a.positions - b.positions).cwiseAbs().maxCoeff() < 2e-6);
    }
}

TEST_CASE("Large steps give the same bits on any number of threads, and one at a time") {
    const physics::ClothModel model = with_pins(true);
    const physics::World world = windless_world();
    const auto run = [&](int threads, bool one_at_a_time) {
        set_thread_count(threads);
        const auto stepper = make_stepper(model, world);
        physics::ClothState state = random_state(model);
        for (int i = 0; i < 10; i += one_at_a_time ? 1 : 10)
            static_cast<void>(stepper->advance(state, time_step, one_at_a_time ? 1 : 10));
        set_thread_count(2);
        return state;
    };
    const physics::ClothState first = run(1, false);
    for (const int threads : {1, 2, 3, 8}) {
        const physics::ClothState other = run(threads, threads == 3);
        CHECK(other.positions == first.positions);
        CHECK(other.velocities == first.velocities);
    }
}

TEST_CASE("A cloth that nothing holds keeps its momentum, and falls as in small steps") {
    const physics::ClothModel model = example_cloth(true);
    const physics::ClothState start = random_state(model);
    const BoxLaplacian laplacian(model);
    const auto momentum = [&](const physics::ClothState& state) {
        Vector3 sum = Vector3::Zero();
        for (long v = 0; v < state.velocities.rows(); ++v)
            if (laplacian.moves()[static_cast<size_t>(v)]) sum += model.masses(v) * state.velocities.row(v).transpose();
        return sum;
    };
    for (const bool reference : {false, true}) {
        const physics::World still = world_with(Vector3::Zero());
        physics::ClothState state = start;
        static_cast<void>(make_stepper(model, still, reference)->advance(state, time_step, 5));
        CHECK((momentum(state) - momentum(start)).norm() < (reference ? 1e-12 : 1e-4));
        CHECK((state.velocities - start.velocities).norm() > 1);
    }
    // Under gravity and drag, eight small steps to a large one: the places of a flat cloth are the same.
    const physics::World world = windless_world();
    physics::ClothState large{.positions = model.start_positions, .velocities = start.velocities};
    large.velocities.rowwise() = Eigen::RowVector3d(0.3, -0.1, 0.2);
    physics::ClothState small = large;
    static_cast<void>(make_stepper(model, world, true)->advance(large, time_step, 6));
    static_cast<void>(make_force_cell(model, world, {}, exact_cell(model, world.gravity, 0), {.reference = true})
                          ->advance(small, time_step / 8, 48));
    double difference = 0;
    for (long v = 0; v < large.positions.rows(); ++v)
        if (laplacian.moves()[static_cast<size_t>(v)])
            difference = std::max(difference, (large.positions.row(v) - small.positions.row(v)).norm());
    CHECK(difference < 1e-12);
}

TEST_CASE("A run of large steps that is interrupted goes on with the same bits") {
    const physics::ClothModel model = with_pins(false);
    const physics::World world = windless_world();
    for (const bool reference : {false, true}) {
        const auto whole = make_stepper(model, world, reference), first = make_stepper(model, world, reference),
                   second = make_stepper(model, world, reference);
        physics::ClothState a = random_state(model), b = a;
        static_cast<void>(whole->advance(a, time_step, 5));
        static_cast<void>(first->advance(b, time_step, 2));
        second->set_memory(first->memory());
        static_cast<void>(second->advance(b, time_step, 3));
        CHECK(a.positions == b.positions);
        CHECK(first->memory() != make_stepper(model, world, reference)->memory());
        CHECK(contains(error_of([&] { second->set_memory(std::vector<std::byte>(3)); }), "not interrupted"));
    }
}

TEST_CASE("A step that the layer was not taught is refused") {
    const physics::ClothModel model = with_pins(false);
    const physics::World world = windless_world();
    for (const bool reference : {false, true}) {
        const auto stepper = make_stepper(model, world, reference);
        physics::ClothState state = random_state(model);
        CHECK(contains(error_of([&] { static_cast<void>(stepper->advance(state, time_step / 2, 1)); }),
                       "were learnt as steps of 0.045 s, not of 0.0225 s"));
    }
}

TEST_CASE("The gate is open on a flat cloth and closed where it is stretched or folded") {
    physics::ClothModel model = tulle::test::grid_cloth({.rows = 9, .columns = 9});
    tulle::test::pin(model, {0});
    const BoxLaplacian laplacian(model);
    const CellGrid grid = make_cell_grid(model);
    const physics::StencilMaterial springs = large_step_material(model).springs;
    Positions positions = model.start_positions;
    const int middle = model.grid->index(4, 4);
    const auto gate = [&] { return gated_normals(laplacian, grid, springs, positions).row(middle).norm(); };
    CHECK(gate() == doctest::Approx(1));
    const Eigen::RowVector3d normal = gated_normals(laplacian, grid, springs, positions).row(middle);
    CHECK((positions.row(middle + 1) - positions.row(middle)).dot(normal) == doctest::Approx(0));
    positions *= std::sqrt(1.75);  // between open at 1.5 and closed at 2
    CHECK(gate() == doctest::Approx(0.5));
    positions = model.start_positions;
    positions.row(middle) += 0.7 * springs.rest_lengths[0] * normal;  // 1 + 0.49 + 3 · 0.49 of it
    CHECK(gate() == 0);
}
