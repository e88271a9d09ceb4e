// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/coarsen.h"

#include "tulle/core/error.h"
#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"
#include "tulle/scene/build.h"
#include "tulle/scene/select_pins.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tulle::scene {

namespace {

using methods::Scaling;

methods::Calibration multipliers(const CoarseningLaw& law) {
    return law.scaling == Scaling::Similarity ? methods::Calibration{} : law.calibration;
}

// Structural springs over longer cells, shear springs as they are, and skip springs that keep the fold energy per
// area; what membrane load the weaker skip springs no longer carry, the structural ones do.
physics::GridMaterial coarse_springs(physics::GridMaterial springs, const CoarseningLaw& law) {
    const double s = law.factor;
    // A stiffness per length is that of a spring s times as long.
    const double length = springs.stiffness_per_length ? s : 1;
    const auto scale = [](physics::SpringMaterial& spring, double by) {
        spring.stiffness *= by;
        spring.damping *= by;
    };
    if (law.scaling != Scaling::Paper) {
        // A skip spring is twice as long, so with a stiffness per length its k is half of what its number says.
        const double skip = springs.stiffness_per_length ? 0.5 : 1;
        const double bend = 1 / (s * s * s * s);
        springs.stretch.stiffness += 4 * skip * springs.bend.stiffness * (1 - bend);
        springs.stretch.damping += 4 * springs.bend.damping * (1 - bend);
        scale(springs.bend, bend);
    }
    const methods::Calibration fitted = multipliers(law);
    scale(springs.stretch, fitted.stretch);
    scale(springs.shear, fitted.stretch);
    scale(springs.bend, fitted.bend);
    for (physics::SpringMaterial* spring : {&springs.stretch, &springs.shear, &springs.bend})
        spring->stiffness *= length;
    return springs;
}

// A continuum is the same at any spacing; keeping every spring and hinge instead makes it stiffer to bend.
Fabric coarse_fabric(Fabric fabric, const CoarseningLaw& law) {
    const methods::Calibration fitted = multipliers(law);
    fabric.stretch *= fitted.stretch;
    fabric.shear *= fitted.stretch;
    fabric.bending *= law.scaling == Scaling::Paper ? law.factor * law.factor : fitted.bend;
    return fabric;
}

// Half of what an edge's midpoint weighs goes to each end, level by level.
VectorX gather_down(const geometry::Hierarchy& hierarchy, VectorX masses) {
    for (auto level = hierarchy.subdivisions.rbegin(); level != hierarchy.subdivisions.rend(); ++level) {
        VectorX coarser(level->coarse_count());
        for (long v = 0; v < coarser.size(); ++v) coarser(v) = masses(level->fine_vertices[static_cast<size_t>(v)]);
        for (long e = 0; e < level->edges.rows(); ++e)
            for (int end = 0; end < 2; ++end)
                coarser(level->edges(e, end)) += 0.5 * masses(level->fine_midpoints[static_cast<size_t>(e)]);
        masses = std::move(coarser);
    }
    return masses;
}

void coarsen_pins(const Scene& scene, const physics::ClothModel& fine, CoarseScene& coarse) {
    std::vector<int> coarse_of(static_cast<size_t>(fine.vertex_count()), -1);
    for (size_t v = 0; v < coarse.fine_vertices.size(); ++v)
        coarse_of[static_cast<size_t>(coarse.fine_vertices[v])] = static_cast<int>(v);
    long pinned = 0, between = 0;
    coarse.scene.pins.clear();
    for (const PinSettings& pins : scene.pins) {
        std::vector<int> held;
        for (const int v : select_pins(pins, fine)) {
            ++pinned;
            const int own = coarse_of[static_cast<size_t>(v)];
            own >= 0 ? held.push_back(own) : static_cast<void>(++between);
        }
        if (!held.empty()) coarse.scene.pins.push_back({.selection = held, .motion = pins.motion, .where = pins.where});
    }
    const bool all_lost = pinned > 0 && coarse.scene.pins.empty();
    if (all_lost)
        throw Error("{}: none of the {} pins falls on a vertex of the coarse cloth; it would fall down", scene.source,
                    pinned);
    if (between > 0)
        coarse.note =
            fmt::format("{} of {} pins fall between the vertices of the coarse cloth; they hold in the fine cloth only",
                        between, pinned);
}

CoarseScene coarsen_grid(const Scene& scene, const physics::ClothModel& fine, const CoarseningLaw& law) {
    const auto& shape = std::get<GridShape>(scene.cloth.shape);
    const geometry::Miniature miniature = geometry::make_miniature(shape.size, law.factor);
    CoarseScene coarse{.scene = scene, .fine_vertices = miniature.fine_vertices(), .note = {}};
    std::get<GridShape>(coarse.scene.cloth.shape).size = miniature.coarse;
    VectorX masses = geometry::gather_by_hats(miniature, fine.masses);
    if (law.scaling == Scaling::Paper)
        for (long v = 0; v < masses.size(); ++v) masses(v) = fine.masses(coarse.fine_vertices[static_cast<size_t>(v)]);
    masses *= multipliers(law).mass;
    coarse.scene.cloth.particle_masses.assign(masses.begin(), masses.end());
    return coarse;
}

CoarseScene coarsen_mesh(const Scene& scene, const physics::ClothModel& fine, const CoarseningLaw& law) {
    const int levels = std::countr_zero(static_cast<unsigned>(law.factor));
    if (!std::has_single_bit(static_cast<unsigned>(law.factor)) || levels > scene.cloth.subdivisions)
        throw Error("{}: a mesh with subdivisions = {} cannot be made coarser by {}; only a power of two up to {} can",
                    scene.cloth.where, scene.cloth.subdivisions, law.factor, 1 << scene.cloth.subdivisions);
    CoarseScene coarse{.scene = scene, .fine_vertices = {}, .note = {}};
    coarse.scene.cloth.subdivisions -= levels;
    Scene plain = coarse.scene;  // without start, masses and pins, which are still those of the fine mesh
    plain.cloth.start = {};
    plain.cloth.particle_masses = {1.0};
    plain.pins.clear();
    const physics::ClothModel model = make_model(plain);
    coarse.fine_vertices.resize(static_cast<size_t>(model.vertex_count()));
    std::iota(coarse.fine_vertices.begin(), coarse.fine_vertices.end(), 0);
    VectorX masses = law.scaling == Scaling::Paper
                         ? VectorX(fine.masses.head(model.vertex_count()))
                         : gather_down(geometry::mesh_hierarchy(model.mesh, levels), fine.masses);
    masses *= multipliers(law).mass;
    coarse.scene.cloth.particle_masses.assign(masses.begin(), masses.end());
    return coarse;
}

}  // namespace

CoarseScene coarsen(const Scene& scene, const physics::ClothModel& fine, const CoarseningLaw& law) {
    if (!scene.cloth.holes.empty()) throw Error("{}: a cloth with holes has no coarser one", scene.cloth.where);
    CoarseScene coarse = fine.grid ? coarsen_grid(scene, fine, law) : coarsen_mesh(scene, fine, law);
    ClothSettings& cloth = coarse.scene.cloth;
    if (scene.cloth.start.index() != 0) cloth.start = geometry::sample(coarse.fine_vertices, fine.start_positions);
    cloth.pin_stiffness = multipliers(law).pin;
    if (auto* springs = std::get_if<physics::GridMaterial>(&cloth.material)) {
        *springs = coarse_springs(*springs, law);
        // n + 1 lines of springs over a width of n cells are one too many for a continuum: the fine cloth has
        // (s n + 1) k L of them, the coarse one would have (n + 1) k s L. Its border lines take the difference.
        if (law.scaling != Scaling::Paper) cloth.border_stiffness = (law.factor + 1) / (2.0 * law.factor);
    } else {
        cloth.material = coarse_fabric(std::get<Fabric>(cloth.material), law);
    }
    if (law.scaling == Scaling::Paper && law.thin_air) {
        const double thin = 1.0 / (law.factor * law.factor);
        if (coarse.scene.wind) coarse.scene.wind->normal *= thin;
        if (coarse.scene.wind) coarse.scene.wind->tangential *= thin;
        coarse.scene.pressure *= thin;
    }
    coarsen_pins(scene, fine, coarse);
    return coarse;
}

}  // namespace tulle::scene
