// SPDX-License-Identifier: Apache-2.0
// Tiles of pieces beside their plain twins, which make the samples that networks learn from.
#include "tulle/methods/upscaling/lanes.h"

#include "tests/methods/upscaling/support.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"
#include "tulle/methods/upscaling/piece_tiles.h"

#include <doctest/doctest.h>

#include <array>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

constexpr int collapsed_piece = 3;

void put(const Point& point, int lane, LanePoints& to) {
    to.x[lane] = point.x();
    to.y[lane] = point.y();
    to.z[lane] = point.z();
}
Point get(const LanePoints& from, int lane) { return {from.x[lane], from.y[lane], from.z[lane]}; }

}  // namespace

TEST_CASE("Points are gathered by their indices, ghosts beyond the border included") {
    Random random(1);
    const Positions positions = waving(flat({3, 4}));
    const std::vector<Ghost> ghosts = {{0, 1, 2}, {12, 12, 5}};
    std::vector<int> indices;
    for (int piece = 0; piece < 29; ++piece)  // a tile and five more
        for (int p = 0; p < 2; ++p) indices.push_back(static_cast<int>(random.bits() % 14));
    const PieceTiles tiles(12, ghosts, indices, 2);
    const Eigen::RowVector3d origin(1, -2, 3);
    std::vector<Eigen::RowVector3d> expected;
    for (long v = 0; v < 12; ++v) expected.emplace_back(positions.row(v) - origin);
    for (const auto& [a, b, c] : ghosts)
        expected.emplace_back(expected[static_cast<size_t>(a)] + expected[static_cast<size_t>(b)] -
                              expected[static_cast<size_t>(c)]);

    REQUIRE(tiles.count() == 2);
    CHECK(tiles.pieces(0) == 24);
    CHECK(tiles.pieces(1) == 5);
    const std::vector<float> rows = tiles.lay_out(positions, origin);
    for (size_t piece = 0; piece < 48; ++piece) {
        std::array<LanePoints, 2> points;
        tiles.gather(static_cast<long>(piece / 24), rows, points.data());
        for (size_t p = 0; p < 2; ++p) {
            const auto index = static_cast<size_t>(indices[2 * std::min<size_t>(piece, 28) + p]);
            const Point found = get(points[p], static_cast<int>(piece % 24));
            CHECK((found.cast<double>().transpose() - expected[index]).norm() < 1e-5);
        }
    }
}

TEST_CASE("What networks say of a tile is turned into the world in each piece's own scale, nothing for collapsed") {
    Random random(4);
    FrameLanes frames;
    std::array<LanePoints, 2> outputs, answers;
    std::vector<LocalFrame> plain;
    for (int k = 0; k < lane_count; ++k) {
        const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        const auto point = [&] { return Point(number(), number(), number()); };
        plain.push_back(make_canonical_frame(point(), 0.1f * point(), 0.1f * point(), 0.1f).local);
        const LocalFrame& frame = plain.back();
        put(frame.origin, k, frames.origin);
        const float sound = k == collapsed_piece ? 0.0f : 1.0f;
        put(sound * frame.axes.col(0), k, frames.along);
        put(sound * frame.axes.col(1), k, frames.across);
        put(sound * frame.axes.col(2), k, frames.normal);
        frames.unit[k] = frame.unit;
        frames.scale[k] = 0.1f * static_cast<float>(k);
        frames.sound[k] = sound;
        for (size_t p = 0; p < 2; ++p) {
            put(point(), k, outputs[p]);
            put(Point(1, 2, 3), k, answers[p]);
        }
    }
    add_in_world(frames, outputs.data(), 2, answers.data());
    for (int k = 0; k < lane_count; ++k)
        for (size_t p = 0; p < 2; ++p) {
            Point said = frames.scale[k] * plain[static_cast<size_t>(k)].direction_to_world(get(outputs[p], k));
            if (k == collapsed_piece) said.setZero();
            CHECK((get(answers[p], k) - Point(1, 2, 3) - said).norm() < 1e-5);
        }
    CHECK(frames.collapsed(lane_count) == 1);
    CHECK(frames.collapsed(collapsed_piece) == 0);
}
