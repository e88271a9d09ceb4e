// SPDX-License-Identifier: Apache-2.0
// The cell on libtorch, as the paper has it, against ours.
#include "tests/methods/force_cell/cells.h"
#include "tests/support/near.h"
#include "tulle/methods/force_cell/cell_samples.h"
#include "tulle/training/settings.h"
#include "tulle/training/torch_force_cell.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

// Numbers near those of the cloth, none equal to another.
ForceCell uneven_cell(const physics::ClothModel& model, CellActivation activation) {
    CellVector numbers = to_vector(exact_cell(model, gravity, 0));
    Random random(3);
    for (double& number : numbers) number *= random.uniform(0.7, 1.3);
    return to_cell(numbers, {.activation = activation, .softening = 1e-4});
}

}  // namespace

TEST_CASE("Forward and backward of the cell on libtorch agree with ours, for every activation, with holes and pins") {
    physics::ClothModel model = example_cloth(true);
    tulle::test::pin(model, {0, 50});
    const CellSamples samples = example_samples(model, 1);
    const CellState& state = samples.at(0).first;
    for (const auto activation : {CellActivation::Isru, CellActivation::Tanh, CellActivation::Softsign}) {
        CAPTURE(to_string(activation));
        const ForceCell cell = uneven_cell(model, activation);
        const training::TorchCellAnswer torch =
            training::torch_cell(cell, *model.grid, *state.grid,
                                 {.positions = state.positions, .velocities = state.velocities}, state.accelerations);
        CellVector gradient = CellVector::Zero();
        double loss = 0;
        CellGradient change;
        for (long i = 0; i < samples.count(); ++i) {
            const int vertex = samples.at(i).second;
            const Vector3 said = cell_gradient(cell, state, vertex, change);
            CHECK((said - Vector3(torch.accelerations.row(vertex))).norm() < 1e-10 * said.norm());
            const Vector3 error = said - Vector3(state.accelerations.row(vertex));
            loss += error.squaredNorm() / 3 / static_cast<double>(samples.count());
            gradient += 2 * change.transpose() * error / 3 / static_cast<double>(samples.count());
        }
        CHECK(torch.loss == tulle::test::near(loss));
        CHECK((torch.gradient - gradient).norm() < 1e-9 * gradient.norm());
        CHECK(torch.accelerations.row(50).isZero());
    }
}

TEST_CASE("Steps of the cell on libtorch follow the fused ones") {
    physics::ClothModel model = example_cloth();
    tulle::test::pin(model, {0, 18});
    physics::World world = world_with(gravity);
    world.drag_rate = 2;
    const ForceCell cell = exact_cell(model, gravity, 1e-9);
    physics::ClothState torch = random_state(model), fused = torch;
    for (const int pinned : {0, 18}) torch.velocities.row(pinned).setZero();
    fused = torch;
    training::torch_cell_steps(cell, *model.grid, make_cell_grid(model), 1e-3, std::exp(-2e-3), 100, torch);
    static_cast<void>(make_force_cell(model, world, {}, cell, {})->advance(fused, 1e-3, 100));
    CHECK((torch.positions - fused.positions).rowwise().norm().maxCoeff() < 1e-4);
    CHECK((torch.positions - model.start_positions).rowwise().norm().maxCoeff() > 0.02);
}

TEST_CASE("The schedule of the force-cell paper steps down to a tenth, then goes on as a cosine") {
    const training::TrainerSettings settings{
        .learning_rate = 1e-2, .final_learning_rate = 1e-6, .schedule = training::Schedule::StepCosine};
    CHECK(learning_rate_at(settings, 0) == 1e-2);
    CHECK(learning_rate_at(settings, 0.124) == 1e-2);
    CHECK(learning_rate_at(settings, 0.45) == tulle::test::near(1e-3));
    CHECK(learning_rate_at(settings, 0.5) == tulle::test::near(1e-3));
    CHECK(learning_rate_at(settings, 0.75) == tulle::test::near(5e-4).epsilon(1e-2));
    CHECK(learning_rate_at(settings, 1) == tulle::test::near(1e-6));
}
