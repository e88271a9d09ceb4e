// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/cloth_to_upscale.h"

#include "tulle/core/error.h"
#include "tulle/geometry/finer_faces.h"
#include "tulle/geometry/upsampling.h"
#include "tulle/scene/scene.h"

namespace tulle::workflows {

namespace {

using geometry::Faces;
using geometry::GridSize;

GridSize finer(const GridSize& coarse, int factor) {
    return {(coarse.rows - 1) * factor + 1, (coarse.columns - 1) * factor + 1};
}

Faces faces_of(const geometry::TriangleMesh& mesh) {
    return mesh.faces.empty() ? geometry::faces_of_triangles(mesh.triangles, mesh.tex_coords) : mesh.faces;
}

// Of every vertex the first that a face says; `known` are the coarse ones.
TexCoords tex_coords_of(const Faces& faces, const TexCoords& known, long count) {
    if (!faces.has_tex_coords) return {};
    TexCoords result = TexCoords::Zero(count, 2);
    std::vector<bool> is_known(static_cast<size_t>(count), false);
    for (const geometry::Corner& corner : faces.corners) {
        if (is_known[static_cast<size_t>(corner.vertex)]) continue;
        is_known[static_cast<size_t>(corner.vertex)] = true;
        result.row(corner.vertex) = corner.uv;
    }
    result.topRows(known.rows()) = known;
    return result;
}

}  // namespace

ClothToUpscale::ClothToUpscale(const io::CacheHeader& coarse, int factor, Recognise recognise)
    : factor_(factor), frame_time_(1 / coarse.frame_rate) {
    const double vertices = static_cast<double>(coarse.mesh.vertex_count()) * factor * factor;
    if (vertices > scene::max_particles)
        throw Error("{} vertices made finer by {} are about {:.0f}; at most {} are allowed", coarse.mesh.vertex_count(),
                    factor, vertices, scene::max_particles);
    if (coarse.grid.rows > 0) {
        take_grid(coarse);
        return;
    }
    const bool looks = recognise == Recognise::Grids || !coarse.mesh.faces.empty();
    const auto grid = looks ? geometry::recognise_grid(faces_of(coarse.mesh), coarse.mesh.positions) : std::nullopt;
    if (grid)
        take_recognised(*grid, coarse.mesh);
    else
        take_mesh(coarse.mesh);
}

void ClothToUpscale::take_grid(const io::CacheHeader& coarse) {
    grid_ = coarse.grid;
    interpolate_rest(coarse.mesh.positions);
    result_ = fine_;
}

void ClothToUpscale::interpolate_rest(const Positions& coarse_rest) {
    const GridSize size = finer(*grid_, factor_);
    fine_ = geometry::make_grid_cloth(size, {}).mesh;
    geometry::Upsampling(geometry::make_miniature(size, factor_), geometry::Interpolation::Bilinear)
        .apply(coarse_rest, fine_.positions);
}

void ClothToUpscale::take_recognised(const geometry::RecognisedGrid& grid, const geometry::TriangleMesh& coarse) {
    grid_ = grid.size;
    order_ = grid.vertices;
    interpolate_rest(for_upscaler(coarse.positions));
    const geometry::Miniature miniature = geometry::make_miniature(finer(*grid_, factor_), factor_);
    fine_order_.assign(static_cast<size_t>(fine_.vertex_count()), -1);
    const std::vector<int> places = miniature.fine_vertices();
    for (size_t i = 0; i < places.size(); ++i) fine_order_[static_cast<size_t>(places[i])] = order_[i];
    int next = coarse.vertex_count();
    for (int& vertex : fine_order_)
        if (vertex < 0) vertex = next++;
    result_.positions = for_owner(fine_.positions);
    result_.triangles = fine_.triangles.unaryExpr([&](int v) { return fine_order_[static_cast<size_t>(v)]; });
    result_.faces = geometry::finer_cells(grid, factor_, fine_order_);
    result_.tex_coords = tex_coords_of(result_.faces, coarse.tex_coords, result_.vertex_count());
}

void ClothToUpscale::take_mesh(const geometry::TriangleMesh& coarse) {
    Faces faces = geometry::ready_to_cut(faces_of(coarse), coarse.positions);
    coarsest_ = coarse;
    coarsest_.triangles = geometry::fan_triangles(faces);
    coarsest_.faces = {};
    fine_ = coarsest_;
    for (int left = factor_; left > 1; left /= 2) {
        const geometry::Subdivision subdivision = geometry::subdivide(fine_);
        if (!coarse.faces.empty()) faces = geometry::finer_faces(faces, subdivision);
        fine_ = geometry::refine(fine_, subdivision);
    }
    result_ = fine_;
    if (!coarse.faces.empty()) result_.faces = faces;
}

methods::FineCloth ClothToUpscale::fine() const {
    methods::FineCloth cloth{.mesh = fine_, .grid = {}, .coarsest = coarsest_};
    if (grid_) cloth.grid = finer(*grid_, factor_);
    cloth.frame_time = frame_time_;
    return cloth;
}

Positions ClothToUpscale::for_upscaler(Positions coarse) const {
    if (order_.empty()) return coarse;
    return coarse(order_, Eigen::all);
}

}  // namespace tulle::workflows
