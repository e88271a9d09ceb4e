// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/large_step_lessons.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/io/cache_reader.h"
#include "tulle/methods/force_cell/large_step_stepper.h"
#include "tulle/scene/build.h"

#include <algorithm>
#include <cmath>

namespace tulle::scene {

namespace {

const Method physics_method = {.name = "mass_spring", .variant = {}};

// A sequence's cloth and the steps of its physics.
struct Lesson {
    explicit Lesson(const datasets::Sequence& sequence)
        : scene(parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder)),
          model(make_model(scene)),
          world(make_world(scene)),
          steps_per_frame(scene::steps_per_frame(scene, model, physics_method)),
          dt(scene.time.frame_time() / steps_per_frame) {}

    Scene scene;
    physics::ClothModel model;
    physics::World world;
    int steps_per_frame;
    double dt;  // [s]
};

std::vector<methods::LargeStepPair> read_pairs(const datasets::Sequence& sequence, const methods::ForceCell& cell,
                                               int steps, long most_pairs) {
    const io::CacheReader reader(sequence.file);
    if (!reader.header().has_velocities) throw Error("it has no velocities");
    const Lesson lesson(sequence);
    const auto cloth = std::make_shared<const methods::LargeStepCloth>(
        methods::LargeStepCloth{.laplacian = methods::BoxLaplacian(lesson.model),
                                .grid = methods::make_cell_grid(lesson.model),
                                .material = methods::large_step_material(lesson.model)});
    const physics::ForceList outside = methods::forces_outside(lesson.world, lesson.model);
    const auto physics =
        physics::make_solver(lesson.model, lesson.world, physics::MassSpringSettings{.reference = true});
    const double time_step = steps * lesson.dt;
    const methods::LargeStepFactors factors = methods::factors_after_start(lesson.world.drag_rate, time_step, steps);
    std::vector<methods::LargeStepPair> pairs;
    const long stride = std::max(1L, (reader.frame_count() + most_pairs - 1) / most_pairs);
    for (long f = 0; f < reader.frame_count(); f += stride) {
        const io::CacheFrame frame = reader.frame(f);
        physics::ClothState state{.positions = frame.positions, .velocities = frame.velocities, .time = frame.time};
        const auto mean_velocity = [&] {
            const Positions before = state.positions;
            static_cast<void>(physics->advance(state, lesson.dt, steps));
            return Velocities((state.positions - before) / time_step);
        };
        physics::ClothState between = state;
        between.velocities = mean_velocity();
        between.positions = state.positions;
        between.time = state.time;
        Forces forces = Forces::Zero(lesson.model.vertex_count(), 3);
        for (const auto& force : outside) force->add_to(forces, between);
        methods::LargeStepPair pair{.cloth = cloth,
                                    .positions = between.positions,
                                    .accelerations = Forces::Zero(forces.rows(), 3),
                                    .answers = Forces::Zero(forces.rows(), 3)};
        const Velocities after = mean_velocity();
        parallel_for(forces.rows(), [&](long v) {
            if (!cloth->laplacian.moves()[static_cast<size_t>(v)]) return;
            pair.accelerations.row(v) =
                cell_acceleration(cell, cloth->grid, between.positions, between.velocities, static_cast<int>(v))
                    .transpose() +
                cloth->grid.inverse_masses(v) * forces.row(v);
            pair.answers.row(v) = (after.row(v) - factors.kept * between.velocities.row(v)) / factors.impulse;
        });
        pairs.push_back(std::move(pair));
    }
    return pairs;
}

}  // namespace

std::vector<methods::LargeStepPair> large_step_pairs(const datasets::Sequence& sequence, const methods::ForceCell& cell,
                                                     int steps, long most_pairs) {
    try {
        return read_pairs(sequence, cell, steps, most_pairs);
    } catch (const Error& error) {
        throw Error("'{}' cannot teach larger steps: {}", sequence.name, error.what());
    }
}

FreeRun free_run(const datasets::Sequence& sequence, const methods::ForceCell& cell, const methods::LargeStep& layer) {
    const Lesson lesson(sequence);
    if (lesson.steps_per_frame % layer.steps != 0)
        throw Error("'{}' has frames of {} steps, which {} do not divide", sequence.name, lesson.steps_per_frame,
                    layer.steps);
    physics::ClothState state = initial_state(lesson.scene, lesson.model);
    const auto stepper = methods::make_large_step(lesson.model, lesson.world,
                                                  methods::forces_outside(lesson.world, lesson.model), cell, layer, {});
    FreeRun errors;
    const long frames = sequence.frame_count() - 1;
    for (long f = 1; f <= frames; ++f) {
        static_cast<void>(stepper->advance(state, layer.steps * lesson.dt, lesson.steps_per_frame / layer.steps));
        const Eigen::Map<const Rows<float, 3>> recorded(sequence.frame(f), sequence.vertex_count(), 3);
        const double distance = (state.positions - recorded.cast<double>()).rowwise().norm().mean();
        errors.mean += distance / static_cast<double>(frames);
        errors.largest = std::max(errors.largest, distance);
    }
    return errors;
}

}  // namespace tulle::scene
