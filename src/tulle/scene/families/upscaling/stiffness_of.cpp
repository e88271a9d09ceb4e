// SPDX-License-Identifier: Apache-2.0
#include "tulle/scene/families/upscaling/stiffness_of.h"

#include <cmath>
#include <numeric>

namespace tulle::scene {

methods::Stiffness stiffness_of(const Scene& scene, const geometry::TriangleMesh& rest) {
    const ClothSettings& cloth = scene.cloth;
    const VectorX areas = geometry::triangle_areas(rest.positions, rest.triangles);  // [m²]
    const double cell = 2 * areas.mean(), spacing = std::sqrt(cell);
    const std::vector<double>& masses = cloth.particle_masses;
    const double total = masses.size() == 1 ? masses[0] * rest.vertex_count()
                                            : std::accumulate(masses.begin(), masses.end(), 0.0);  // [kg]
    const double density = masses.empty() ? cloth.density : total / areas.sum();
    methods::Stiffness stiffness{.density = density, .frame_time = scene.time.frame_time()};
    if (const auto* fabric = std::get_if<Fabric>(&cloth.material)) {
        stiffness.stretch = fabric->stretch;
        stiffness.bending = fabric->bending;
        return stiffness;
    }
    const auto& springs = std::get<physics::GridMaterial>(cloth.material);
    // A stiffness per length is that of a spring as long as a cell, or twice as long.
    const double per_spring = springs.stiffness_per_length ? 1 / spacing : 1;
    const double skip = springs.bend.stiffness * (springs.stiffness_per_length ? 0.5 : 1) * per_spring;
    stiffness.stretch = springs.stretch.stiffness * per_spring + 4 * skip;  // skip springs carry membrane load too
    stiffness.folding = skip * cell * cell;
    return stiffness;
}

}  // namespace tulle::scene
