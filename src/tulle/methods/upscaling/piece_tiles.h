// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/parallel.h"
#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/lanes.h"
#include "tulle/neural/fused_network.h"

#include <algorithm>
#include <vector>

namespace tulle::methods {

static_assert(lane_count == neural::FusedNetwork::tile);

// A point beyond the border of a cloth, where it goes on as it was: a + b − c. They may be ghosts that come earlier.
struct Ghost {
    int a, b, c;
};

// The pieces of a cloth (patches, triangles), each of which sees as many of its points, in tiles.
class PieceTiles {
public:
    // `points`: indices, those of one piece after those of another. From `vertices` on they are of `places` that the
    // caller fills in, then of ghosts.
    PieceTiles(int vertices, std::vector<Ghost> ghosts, const std::vector<int>& points, int points_per_piece,
               int places = 0);

    long count() const { return tiles_; }
    // Pieces in a tile; the last may have fewer, and its other lanes repeat its last piece.
    int pieces(long tile) const { return static_cast<int>(std::min<long>(lane_count, pieces_ - tile * lane_count)); }

    // Single precision, relative to `origin`, in rows of four floats: vertices, places (zero), then ghosts.
    std::vector<float> lay_out(const Positions& positions, const Eigen::RowVector3d& origin) const;
    void gather(long tile, const std::vector<float>& rows, LanePoints* to) const {
        methods::gather(rows.data(), indices_.data() + tile * points_per_piece_ * lane_count, points_per_piece_, to);
    }

private:
    int vertices_, places_;
    std::vector<Ghost> ghosts_;
    int points_per_piece_;
    long pieces_, tiles_;
    std::vector<int> indices_;  // |tiles|×points×24
};

// On all threads.
template <typename Body>
void for_each_tile(const PieceTiles& tiles, const Body& body) {
    parallel_ranges(
        tiles.count(),
        [&](long begin, long end) {
            for (long tile = begin; tile < end; ++tile) body(tile);
        },
        /*grain=*/8);
}

// What pieces with these features see is relative to this point: single precision is exact enough near the origin only,
// and canonical features do not care where that is, so it is moved to the cloth.
inline Eigen::RowVector3d origin_for(Features features, const Positions& positions) {
    if (!is_canonical(features)) return Eigen::RowVector3d::Zero();
    return positions.row(positions.rows() / 2);
}

// Where the number `x` of a point of a piece is among the answers of all tiles (|tiles|×points LanePoints); y and z are
// 24 and 48 floats further.
inline int place_of_answer(long piece, int point, int points_per_piece) {
    return static_cast<int>((piece / lane_count * points_per_piece + point) * 3 * lane_count + piece % lane_count);
}

inline Eigen::RowVector3f answer_at(const LanePoints* answers, int place) {
    const float* x = answers->x.of + place;
    return {x[0], x[lane_count], x[2 * lane_count]};
}

}  // namespace tulle::methods
