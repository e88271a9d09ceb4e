// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/upsampling.h"
#include "tulle/methods/miniature/patch.h"
#include "tulle/methods/upscaler.h"
#include "tulle/neural/fused_network.h"

#include <vector>

namespace tulle::methods {

// The miniature method: each cell of the coarse grid becomes s×s cells by one pass through a small network. Fine
// vertices on the border of several patches get the mean of what those say. With local features the coarse vertices
// stay where they are; with the paper's all outputs are used.
class PatchUpscaler final : public Upscaler {
public:
    // Throws an Error if the network has other inputs or outputs than the shape.
    PatchUpscaler(const geometry::Miniature& miniature, const Positions& fine_rest, const neural::Network& network,
                  Features features, double frame_time);

    int coarse_count() const override { return miniature_.coarse.vertex_count(); }
    int fine_count() const override { return miniature_.fine.vertex_count(); }
    int frames_seen() const override { return methods::frames_seen(shape_.features); }
    UpscaleReport upscale(std::span<const Positions> frames, Positions& fine) const override;

private:
    long patch_count() const { return static_cast<long>(miniature_.coarse.rows - 1) * (miniature_.coarse.columns - 1); }
    PatchPlace place(long patch) const {
        const int per_row = miniature_.coarse.columns - 1;
        return {static_cast<int>(patch / per_row), static_cast<int>(patch % per_row), 1};
    }
    // Both fill `answers`, |patches|×(s+1)²×3 in world axes [m]; ask_local returns how many patches have collapsed.
    long ask_local(const GridPoints& coarse, std::vector<float>& answers) const;
    void ask_paper(std::span<const GridPoints> frames, std::vector<float>& answers) const;
    struct PatchRange {
        int first = 0, last = 0;
    };
    Point mean_answer(const std::vector<float>& answers, int row, int column) const;
    void add_row(const std::vector<float>& answers, int row, Positions& fine) const;

    geometry::Miniature miniature_;
    PatchShape shape_;
    geometry::Upsampling bicubic_;
    neural::FusedNetwork network_;
    // The patches above and below, left and right, that have a row or column on their border or in them.
    std::vector<PatchRange> patches_of_row_, patches_of_column_;
    float unit_;  // [m] between coarse vertices at rest
    float frame_time_;
};

}  // namespace tulle::methods
