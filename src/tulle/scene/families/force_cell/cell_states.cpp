// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/force_cell/cell_states.h"

#include "tulle/core/error.h"
#include "tulle/io/cache_reader.h"
#include "tulle/physics/spring_forces.h"
#include "tulle/scene/build.h"

#include <algorithm>
#include <cmath>

namespace tulle::scene {

namespace {

const Method physics_method = {.name = "mass_spring", .variant = {}};

CellLesson read_lesson(const datasets::Sequence& sequence, long most_states) {
    const io::CacheReader reader(sequence.file);
    if (!reader.header().has_velocities) throw Error("it has no velocities");
    CellLesson lesson{.scene = parse_scene(sequence.scene_text, sequence.name, sequence.scene_folder),
                      .material = {},
                      .dt = 0,
                      .states = {}};
    const physics::ClothModel model = make_model(lesson.scene);
    lesson.material = {.springs = methods::cell_material(model), .gravity = lesson.scene.gravity};
    lesson.dt = lesson.scene.time.frame_time() / steps_per_frame(lesson.scene, model, physics_method);
    const auto grid = std::make_shared<const methods::CellGrid>(methods::make_cell_grid(model));
    const physics::SpringForces springs(model);
    const double kept = std::exp(-lesson.scene.drag * lesson.dt);
    const long stride = std::max(1L, (reader.frame_count() + most_states - 1) / most_states);
    for (long f = 0; f < reader.frame_count(); f += stride) {
        const io::CacheFrame frame = reader.frame(f);
        Forces accelerations =
            springs.at({.positions = frame.positions, .velocities = frame.velocities, .time = frame.time});
        accelerations.array().colwise() *= grid->inverse_masses.array();
        accelerations.rowwise() += lesson.scene.gravity.transpose();
        lesson.states.push_back({.grid = grid,
                                 .positions = frame.positions,
                                 .velocities = frame.velocities,
                                 .accelerations = std::move(accelerations),
                                 .dt = lesson.dt,
                                 .kept = kept});
    }
    return lesson;
}

}  // namespace

CellLesson cell_lesson(const datasets::Sequence& sequence, long most_states) {
    try {
        return read_lesson(sequence, most_states);
    } catch (const Error& error) {
        throw Error("'{}' cannot teach a force cell: {}", sequence.name, error.what());
    }
}

}  // namespace tulle::scene
