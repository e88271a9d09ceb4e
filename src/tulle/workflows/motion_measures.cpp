// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/motion_measures.h"

#include "tulle/scene/build.h"
#include "tulle/scene/families/upscaling/coarsen.h"

#include <algorithm>
#include <bit>
#include <numbers>

namespace tulle::workflows {

namespace {

bool divides(const geometry::GridSize& grid, int factor) {
    return (grid.rows - 1) % factor == 0 && (grid.columns - 1) % factor == 0;
}

std::optional<evaluation::WrinkleMeter> wrinkle_meter(const scene::Simulation& simulation, int factor) {
    const physics::ClothModel& model = simulation.model();
    const scene::ClothSettings& cloth = simulation.scene().cloth;
    if (model.grid && cloth.holes.empty() && divides(*model.grid, factor))
        return evaluation::WrinkleMeter(model.mesh,
                                        evaluation::without_short_waves(geometry::make_miniature(*model.grid, factor)));
    const int levels = std::countr_zero(static_cast<unsigned>(factor));
    if (model.grid || factor != 1 << levels || levels > cloth.subdivisions) return {};
    const scene::CoarseScene coarse = scene::coarsen(simulation.scene(), model, {.factor = factor});
    return evaluation::WrinkleMeter(model.mesh, evaluation::without_fine_levels(geometry::mesh_hierarchy(
                                                    scene::make_model(coarse.scene).mesh, levels)));
}

}  // namespace

MotionMeasures::MotionMeasures(const scene::Simulation& simulation, int factor)
    : simulation_(simulation),
      deformation_(simulation.model()),
      curvature_(simulation.model().mesh),
      wrinkles_(wrinkle_meter(simulation, factor)),
      contacts_(simulation.model().mesh.triangles, *simulation.world().colliders),
      tip_(evaluation::tip_of(simulation.model())) {}

void MotionMeasures::add(std::span<const Positions> frames, std::span<const Positions> full) {
    const double frame_time = simulation_.scene().time.frame_time();
    contacts_.add(frames, static_cast<double>(frames_ + 1) * frame_time, frame_time);
    for (size_t i = 0; i < frames.size(); ++i) add_shape(frames[i], full[i]);
}

void MotionMeasures::add_shape(const Positions& positions, const Positions& full) {
    ++frames_;
    const evaluation::Deformation now = deformation_.measure(positions);
    stretch_energy_ += now.stretch_energy;
    bending_energy_ += now.bending_energy;
    max_stretch_ = std::max(max_stretch_, now.max_stretch);
    for (const double strain : now.strains) shapes_.strain.add(strain);
    for (const double curvature : curvature_.measure(positions)) shapes_.curvature.add(curvature);
    for (size_t axis = 0; axis < 3; ++axis) shapes_.tip[axis].push_back(positions(tip_, static_cast<long>(axis)));
    for (const double angle : evaluation::normal_angles(positions, full, simulation_.model().mesh.triangles))
        normal_angles_.add(angle);
    trembling_.add(positions);
    full_trembling_.add(full);
    if (!wrinkles_) return;
    wrinkle_energy_ += wrinkles_->energy(positions);
    full_wrinkle_energy_ += wrinkles_->energy(full);
}

void MotionMeasures::fill(MethodFigures& figures) const {
    constexpr double degrees = 180 / std::numbers::pi;
    figures.normal_error_degrees = normal_angles_.mean() * degrees;
    figures.p95_normal_error_degrees = normal_angles_.percentile(0.95) * degrees;
    figures.max_stretch = max_stretch_;
    figures.p99_strain = shapes_.strain.percentile(0.99);
    figures.stretch_energy = stretch_energy_ / static_cast<double>(frames_);
    figures.bending_energy = bending_energy_ / static_cast<double>(frames_);
    if (full_trembling_.root_mean_square().value_or(0) > 0)
        figures.flicker = *trembling_.root_mean_square() / *full_trembling_.root_mean_square();
    if (full_wrinkle_energy_ > 0) figures.wrinkle_energy = wrinkle_energy_ / full_wrinkle_energy_;
    figures.contacts = contacts_.counts();
    figures.shapes = shapes_;
}

}  // namespace tulle::workflows
