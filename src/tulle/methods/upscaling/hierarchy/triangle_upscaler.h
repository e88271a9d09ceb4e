// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/methods/upscaling/canonical_lanes.h"
#include "tulle/methods/upscaling/hierarchy/midpoint_stencils.h"
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"
#include "tulle/methods/upscaling/piece_settings.h"
#include "tulle/methods/upscaling/piece_tiles.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/neural/fused_network.h"

#include <array>
#include <vector>

namespace tulle::methods {

// One level of the hierarchy method: the network is asked once per triangle; coarse vertices stay where they are.
class TriangleUpscaler final : public Upscaler {
public:
    // `base`: what canonical features add to; the paper's ignore it. Throws an Error if the network has other inputs or
    // outputs than the features.
    TriangleUpscaler(const geometry::Subdivision& subdivision, MidpointStencils base, const Positions& fine_rest,
                     const neural::Network& network, const PieceSettings& settings);

    int coarse_count() const override { return static_cast<int>(fine_vertices_.size()); }
    int fine_count() const override { return static_cast<int>(fine_vertices_.size() + fine_midpoints_.size()); }
    bool tells_bounds() const override { return features_ == Features::Canonical; }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;
    Eigen::VectorXf vertex_bounds(const UpscaleReport& report) const override;
    Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const override;

private:
    TriangleUpscaler(const geometry::Subdivision& subdivision, MidpointStencils base, const TriangleElements& elements,
                     const neural::Network& network, const PieceSettings& settings);

    struct RestTile {  // of the triangles of a tile
        Lanes units;
        std::array<LanePoints, 3> corners, midpoints;
        RestTriangleLanes canonical;
    };
    std::vector<RestTile> lay_out_rest(const TriangleElements& elements, const Stiffness& stiffness) const;
    // Puts midpoints where the base has them.
    void interpolate(std::vector<float>& points) const;
    // How far from the base the triangles of a tile see their midpoints; returns how many of them have collapsed.
    int ask_canonical(long tile, const std::vector<float>& points, LanePoints* answers, Lanes& bounds) const;
    // Where they see them.
    void ask_paper(long tile, const std::vector<float>& points, LanePoints* midpoints) const;

    Features features_;
    Trust trust_;
    neural::FusedNetwork network_;
    PieceTiles tiles_;
    MidpointStencils base_;  // empty with the paper's features
    std::vector<RestTile> rest_;
    std::vector<int> fine_vertices_, fine_midpoints_;
    Edges edges_;                                      // of the coarser level, whose midpoints those are
    std::vector<std::array<int, 2>> answers_of_edge_;  // of the two triangles, or twice of the only one
};

}  // namespace tulle::methods
