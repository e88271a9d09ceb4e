// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/hierarchy_kind.h"

#include "tulle/core/error.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"
#include "tulle/methods/upscaling/hierarchy/butterfly_upscaler.h"
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"

#include <algorithm>
#include <bit>

namespace tulle::methods {

namespace {

int levels_of(int factor) {
    if (!std::has_single_bit(static_cast<unsigned>(factor)))
        throw Error("the hierarchy method halves cells, so its factor is a power of two, not {}", factor);
    return std::countr_zero(static_cast<unsigned>(factor));
}

geometry::Hierarchy hierarchy_of(const FineCloth& fine, int factor) {
    return fine.grid ? geometry::grid_hierarchy(*fine.grid, levels_of(factor))
                     : geometry::mesh_hierarchy(fine.coarsest, levels_of(factor));
}

Positions level_rest(const geometry::Hierarchy& hierarchy, int level, const FineCloth& fine) {
    return geometry::sample(hierarchy.fine_vertices[static_cast<size_t>(level)], fine.mesh.positions);
}

// What networks of canonical features add to.
MidpointStencils base_of(const geometry::Hierarchy& hierarchy, int level, const FineCloth& fine) {
    if (!fine.grid)
        return butterfly_stencils(hierarchy.subdivisions[static_cast<size_t>(level - 1)],
                                  level_rest(hierarchy, level, fine));
    const int factor = 1 << (hierarchy.level_count() - level + 1);
    return bicubic_stencils(geometry::make_miniature(*fine.grid, factor).coarse);
}

std::string level_name(int level) { return fmt::format("level.{}", level); }

}  // namespace

std::unique_ptr<Upscaler> HierarchyKind::make_upscaler(const FineCloth& fine, int factor,
                                                       const UpscalingModel* model) const {
    return make_hierarchy_upscaler(*model, hierarchy_of(fine, factor), fine);
}

std::vector<std::string> HierarchyKind::network_names(int factor) const {
    std::vector<std::string> names;
    for (int level = 1; level <= levels_of(factor); ++level) names.push_back(level_name(level));
    return names;
}

neural::Symmetry HierarchyKind::symmetry(int, Features) const { return triangle_symmetry(); }

std::unique_ptr<datasets::SampleSource> HierarchyKind::cut(const datasets::Sequence& sequence, const FineCloth& fine,
                                                           const Cut& cut) const {
    const std::vector<std::string> names = network_names(cut.factor);
    const auto level = std::find(names.begin(), names.end(), cut.network) - names.begin() + 1;
    const geometry::Hierarchy hierarchy = hierarchy_of(fine, cut.factor);
    const int number = static_cast<int>(level);
    return std::make_unique<TriangleSamples>(sequence, hierarchy, number, base_of(hierarchy, number, fine),
                                             cut.features, fine.stiffness);
}

std::unique_ptr<Upscaler> ButterflyKind::make_upscaler(const FineCloth& fine, int factor, const UpscalingModel*) const {
    const geometry::Hierarchy hierarchy = hierarchy_of(fine, factor);
    std::vector<std::unique_ptr<Upscaler>> levels;
    for (int level = 1; level <= hierarchy.level_count(); ++level)
        levels.push_back(std::make_unique<ButterflyUpscaler>(hierarchy.subdivisions[static_cast<size_t>(level - 1)],
                                                             level_rest(hierarchy, level, fine)));
    return std::make_unique<CascadeUpscaler>(std::move(levels));
}

std::unique_ptr<Upscaler> make_hierarchy_upscaler(const UpscalingModel& model, const geometry::Hierarchy& hierarchy,
                                                  const FineCloth& fine) {
    const int trained = static_cast<int>(model.networks.size());
    std::vector<std::unique_ptr<Upscaler>> levels;
    for (int level = 1; level <= hierarchy.level_count(); ++level) {
        const int own = std::max(1, trained - (hierarchy.level_count() - level));
        levels.push_back(std::make_unique<TriangleUpscaler>(
            hierarchy.subdivisions[static_cast<size_t>(level - 1)], base_of(hierarchy, level, fine),
            level_rest(hierarchy, level, fine), network_of(model, level_name(own)),
            settings_of(model, fine, level_name(own))));
    }
    return std::make_unique<CascadeUpscaler>(std::move(levels));
}

}  // namespace tulle::methods
