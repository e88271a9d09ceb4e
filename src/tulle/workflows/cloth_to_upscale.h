// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/recognise_grid.h"
#include "tulle/io/cache.h"
#include "tulle/methods/upscaling/upscaling_kind.h"

#include <optional>
#include <vector>

namespace tulle::workflows {

// A coarse cloth as upscalers take it, and the finer one as its owner gets it back.
//
// Caches and point caches with a given grid are numbered along rows, before and after. Any other mesh keeps its own
// vertices first, in their order, and new ones follow: of a mesh that is recognised as a grid row by row, of any other
// for each subdivision the midpoints of the edges in the order of geometry::mesh_edges.
class ClothToUpscale {
public:
    // What is looked for in a mesh that nobody said to be a grid. Our own caches say it, so that in them only polygons,
    // as somebody drew them, are looked at.
    enum class Recognise { Polygons, Grids };
    // Throws an Error if it would be too large.
    ClothToUpscale(const io::CacheHeader& coarse, int factor, Recognise recognise);

    const std::optional<geometry::GridSize>& grid() const { return grid_; }  // coarse; none: it is no grid
    methods::FineCloth fine() const;                                         // numbered as upscalers do
    const geometry::TriangleMesh& result() const { return result_; }         // its rest shape, numbered as its owner's
    bool keeps_grid_numbers() const { return grid_ && order_.empty(); }

    Positions for_upscaler(Positions coarse) const;  // from the owner's order
    // From the upscaler's order: positions, or numbers of the vertices.
    template <typename OneEach>
    OneEach for_owner(OneEach fine) const {
        if (fine_order_.empty()) return fine;
        OneEach result(fine.rows(), fine.cols());
        for (long v = 0; v < fine.rows(); ++v) result.row(fine_order_[static_cast<size_t>(v)]) = fine.row(v);
        return result;
    }

private:
    void take_grid(const io::CacheHeader& coarse);
    void take_recognised(const geometry::RecognisedGrid& grid, const geometry::TriangleMesh& coarse);
    void take_mesh(const geometry::TriangleMesh& coarse);
    void interpolate_rest(const Positions& coarse_rest);

    int factor_;
    double frame_time_;                       // [s]
    std::optional<geometry::GridSize> grid_;  // coarse
    std::vector<int> order_;                  // the owner's vertex at each place of the coarse grid; empty: the same
    std::vector<int> fine_order_;             // likewise of the fine one
    geometry::TriangleMesh fine_, coarsest_, result_;
};

}  // namespace tulle::workflows
