// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/upsampling.h"
#include "tulle/methods/upscaling/miniature/patch.h"
#include "tulle/methods/upscaling/piece_settings.h"
#include "tulle/methods/upscaling/piece_tiles.h"
#include "tulle/methods/upscaling/upscaler.h"
#include "tulle/neural/fused_network.h"

#include <array>
#include <vector>

namespace tulle::methods {

// The miniature method: each cell of the coarse grid becomes s×s cells by one pass through a small network. Fine
// vertices on the border of several patches get the mean of what those say. With canonical features the coarse vertices
// stay where they are; with the paper's all outputs are used.
class PatchUpscaler final : public Upscaler {
public:
    // Throws an Error if the network has other inputs or outputs than the shape.
    PatchUpscaler(const geometry::Miniature& miniature, const Positions& fine_rest, const neural::Network& network,
                  const PieceSettings& settings);

    int coarse_count() const override { return miniature_.coarse.vertex_count(); }
    int fine_count() const override { return miniature_.fine.vertex_count(); }
    int frames_seen() const override { return methods::frames_seen(shape_.features); }
    bool tells_bounds() const override { return is_canonical(shape_.features); }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;
    Eigen::VectorXf vertex_bounds(const UpscaleReport& report) const override;
    Eigen::VectorXf carry(const Eigen::VectorXf& coarse) const override;

private:
    using Rows4 = std::vector<float>;  // a frame, as PieceTiles lays it out
    int points_per_patch() const { return shape_.points(); }
    void find_answers();
    // Both write what the patches of a tile say of their (s+1)² vertices: in world axes, from the bicubic places or
    // from the origin. The former return how many patches have collapsed.
    int ask_canonical(long tile, std::span<const Rows4> seen, LanePoints* answers, Lanes& bounds) const;
    void ask_paper(long tile, std::span<const Rows4> frames, LanePoints* answers) const;
    void add_row(const LanePoints* answers, int row, Positions& fine) const;
    bool keeps(int row, int column) const;  // a fine vertex, where the coarse cloth has it

    geometry::Miniature miniature_;
    PatchShape shape_;
    geometry::Upsampling bicubic_;
    neural::FusedNetwork network_;
    PieceTiles tiles_;
    // For each fine vertex the answers of the patches around it; four patches, two of them twice, or one four times.
    std::vector<std::array<int, 4>> answers_of_vertex_;
    PieceSettings settings_;
    float unit_;                      // [m] between coarse vertices at rest
    std::array<float, 2> stiffness_;  // as networks see it
};

}  // namespace tulle::methods
