// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/piece_tiles.h"

namespace tulle::methods {

PieceTiles::PieceTiles(int vertices, std::vector<Ghost> ghosts, const std::vector<int>& points, int points_per_piece,
                       int places)
    : vertices_(vertices),
      places_(places),
      ghosts_(std::move(ghosts)),
      points_per_piece_(points_per_piece),
      pieces_(static_cast<long>(points.size()) / points_per_piece),
      tiles_((pieces_ + lane_count - 1) / lane_count) {
    for (long tile = 0; tile < tiles_; ++tile)
        for (int p = 0; p < points_per_piece; ++p)
            for (int lane = 0; lane < lane_count; ++lane) {
                const long piece = std::min(tile * lane_count + lane, pieces_ - 1);
                indices_.push_back(points[static_cast<size_t>(piece * points_per_piece + p)]);
            }
}

std::vector<float> PieceTiles::lay_out(const Positions& positions, const Eigen::RowVector3d& origin) const {
    std::vector<float> rows(4 * (static_cast<size_t>(vertices_ + places_) + ghosts_.size()));
    for (long v = 0; v < vertices_; ++v)
        for (int axis = 0; axis < 3; ++axis)
            rows[static_cast<size_t>(4 * v + axis)] = static_cast<float>(positions(v, axis) - origin(axis));
    float* next = rows.data() + 4L * (vertices_ + places_);
    for (const auto& [a, b, c] : ghosts_)
        for (int axis = 0; axis < 4; ++axis)
            *next++ = rows[static_cast<size_t>(4 * a + axis)] + rows[static_cast<size_t>(4 * b + axis)] -
                      rows[static_cast<size_t>(4 * c + axis)];
    return rows;
}

}  // namespace tulle::methods
