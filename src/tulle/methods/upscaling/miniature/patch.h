// SPDX-License-Identifier: Apache-2.0
// A patch: one cell of the coarse grid with its four corners, and the (s+1)×(s+1) fine vertices in it.
//
//   N00  N01  N02  N03       Features::Canonical sees the 4×4 neighbourhood N around it, continued linearly beyond the
//   N10 [N11  N12] N13       border, in canonical form; the affine part is that of the cell N11 N12 N21 N22. The
//   N20 [N21  N22] N23       network answers with how far the fine vertices are from their bicubic places.
//   N30  N31  N32  N33
#pragma once

#include "tulle/geometry/grid_cloth.h"
#include "tulle/methods/upscaling/answer_heads.h"
#include "tulle/methods/upscaling/canonical.h"
#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/local_frame.h"
#include "tulle/methods/upscaling/stiffness.h"
#include "tulle/neural/symmetry.h"

#include <array>
#include <span>
#include <vector>

namespace tulle::methods {

// Positions of a grid in single precision, row by row.
struct GridPoints {
    geometry::GridSize size;
    const float* points = nullptr;  // |V|×3 [m]

    Point at(int row, int column) const { return Eigen::Map<const Point>(points + 3L * size.index(row, column)); }
};

using Neighbourhood = std::array<Point, 16>;  // row by row

struct PatchPlace {
    int row = 0, column = 0;  // of its first corner
    int step = 1;             // rows and columns from one corner to the next
};

Neighbourhood neighbourhood(const GridPoints& grid, const PatchPlace& place);

struct PatchShape {
    int factor = 2;
    Features features = Features::Canonical;

    int side() const { return factor + 1; }
    int points() const { return side() * side(); }
    int input_size() const;  // 54, 102, 36, 12 or 24
    // 27, 48 or 75, and the heads of canonical answers.
    int output_size() const { return 3 * points() + (is_canonical(features) ? answer_heads : 0); }
};

// Rest coordinates of a point of the neighbourhood, in spacings from the middle of the cell: along a row and across.
inline float patch_u(int point) { return static_cast<float>(point % 4) - 1.5f; }
inline float patch_v(int point) { return static_cast<float>(point / 4) - 1.5f; }

CanonicalFrame canonical_patch_frame(const Neighbourhood& around, float unit);

// 54 numbers: the shape of the neighbourhood at size one, the stretch, the size, and two for the stiffness. Returns the
// size, the root of the mean square over the 16 points, in spacings.
float write_canonical_input(const Neighbourhood& around, const CanonicalFrame& frame, const Stiffness& stiffness,
                            std::span<float> input);

// 48 numbers more, for Features::Motion: the shape one frame earlier, in units of the shape's size now. `before` and
// `frame` are of that frame. What has no frame has the shape of `now`, 48 numbers.
void write_earlier_shape(const Neighbourhood& before, const CanonicalFrame& frame, float size,
                         std::span<const float> now, std::span<float> input);

// The normal's two sides, and the eight symmetries of a square.
neural::Symmetry patch_symmetry(const PatchShape& shape);

// The paper's: the corners in absolute coordinates, in each of the frames (oldest first). For velocities the last two
// frames become positions and differences over `frame_time` [s].
void write_paper_input(std::span<const GridPoints> frames, const PatchPlace& place, Features features, float frame_time,
                       std::span<float> input);

// Bicubic places of the (s+1)² fine vertices of a patch from its neighbourhood.
class PatchInterpolation {
public:
    explicit PatchInterpolation(int factor);
    int count() const { return static_cast<int>(weights_.size()); }
    Point at(int vertex, const Neighbourhood& around) const;

private:
    std::vector<std::array<float, 16>> weights_;
};

}  // namespace tulle::methods
