// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/simulate_coarse.h"

#include "tulle/geometry/miniature.h"
#include "tulle/scene/build.h"

namespace tulle::scene {

namespace {

Positions sampled(const datasets::Sequence& full, long frame, const std::vector<int>& fine_vertices) {
    const Eigen::Map<const Rows<float, 3>> all(full.frame(frame), full.vertex_count(), 3);
    return geometry::sample(fine_vertices, all.cast<double>());
}

}  // namespace

datasets::Sequence simulate_coarse(const datasets::Sequence& full, const CoarseningLaw& law, int frames) {
    const Scene scene = parse_scene(full.scene_text, full.name, full.scene_folder);
    const CoarseScene coarse = coarsen(scene, make_model(scene), law);
    const physics::ClothModel model = make_model(coarse.scene);
    const physics::World world = make_world(coarse.scene);
    const Method method = parse_method(scene.upscaling.solver);
    const auto stepper = make_stepper(coarse.scene, model, world, method);
    const int steps = steps_per_frame(coarse.scene, model, method);
    datasets::Sequence made{.name = full.name,
                            .scene_name = full.scene_name,
                            .mesh = model.mesh,
                            .grid = model.grid.value_or(geometry::GridSize{0, 0}),
                            .frame_time = full.frame_time};
    const auto keep = [&](const Positions& positions) {
        const Rows<float, 3> rows = positions.cast<float>();
        made.positions.insert(made.positions.end(), rows.data(), rows.data() + rows.size());
    };
    physics::ClothState state;
    for (long f = 0; f < full.frame_count(); ++f) {
        if (f % frames == 0) {
            state.positions = sampled(full, f, coarse.fine_vertices);
            state.velocities =
                f == 0 ? Positions(Positions::Zero(state.positions.rows(), 3))
                       : Positions((state.positions - sampled(full, f - 1, coarse.fine_vertices)) / full.frame_time);
            state.time = static_cast<double>(f) * full.frame_time;
        } else {
            stepper->advance(state, full.frame_time / steps, steps);
        }
        keep(state.positions);
    }
    return made;
}

}  // namespace tulle::scene
