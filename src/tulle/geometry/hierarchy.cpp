// SPDX-License-Identifier: Apache-2.0
#include "tulle/geometry/hierarchy.h"

#include "tulle/geometry/miniature.h"

#include <algorithm>
#include <numeric>

namespace tulle::geometry {

namespace {

// From the finest level, where a vertex is itself, down to level 0.
void number_vertices(Hierarchy& hierarchy) {
    std::vector<int> finest(static_cast<size_t>(hierarchy.subdivisions.back().fine_count()));
    std::iota(finest.begin(), finest.end(), 0);
    hierarchy.fine_vertices = {finest};
    for (auto level = hierarchy.subdivisions.rbegin(); level != hierarchy.subdivisions.rend(); ++level) {
        std::vector<int> coarser;
        for (const int fine : level->fine_vertices)
            coarser.push_back(hierarchy.fine_vertices.back()[static_cast<size_t>(fine)]);
        hierarchy.fine_vertices.push_back(std::move(coarser));
    }
    std::reverse(hierarchy.fine_vertices.begin(), hierarchy.fine_vertices.end());
}

}  // namespace

Hierarchy grid_hierarchy(const GridSize& finest, int levels) {
    GridSize size = make_miniature(finest, 1 << levels).coarse;
    Hierarchy hierarchy;
    for (int level = 0; level < levels; ++level) {
        hierarchy.subdivisions.push_back(subdivide_grid(size));
        size = {2 * size.rows - 1, 2 * size.columns - 1};
    }
    number_vertices(hierarchy);
    return hierarchy;
}

Hierarchy mesh_hierarchy(const TriangleMesh& coarsest, int levels) {
    Hierarchy hierarchy;
    TriangleMesh mesh = coarsest;
    for (int level = 0; level < levels; ++level) {
        hierarchy.subdivisions.push_back(subdivide(mesh));
        mesh = refine(mesh, hierarchy.subdivisions.back());
    }
    number_vertices(hierarchy);
    return hierarchy;
}

}  // namespace tulle::geometry
