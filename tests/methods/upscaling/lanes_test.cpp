// SPDX-License-Identifier: Apache-2.0
// Tiles of pieces beside their plain twins, which make the samples that networks learn from.
#include "tulle/methods/upscaling/lanes.h"

#include "tests/methods/upscaling/support.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"
#include "tulle/methods/upscaling/miniature/patch.h"
#include "tulle/methods/upscaling/piece_tiles.h"

#include <doctest/doctest.h>

#include <array>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

// Piece 3 has collapsed, pieces 5 and 6 are stretched so far that networks are half trusted and not at all.
constexpr int collapsed_piece = 3, strange_piece = 5, stranger_piece = 6;

template <size_t Count>
std::array<Point, Count> random_piece(Random& random, int piece, const std::array<Point, Count>& rest) {
    std::array<Point, Count> points = rest;
    const float stretch = piece == strange_piece ? 1.4f : piece == stranger_piece ? 2.0f : 1.0f;
    for (Point& p : points) {
        for (float& coordinate : p)
            coordinate = stretch * coordinate + 0.01f * static_cast<float>(random.uniform(-1, 1));
        if (piece == collapsed_piece) p = Point(p.x(), 0, 0);
    }
    return points;
}

void put(const Point& point, int lane, LanePoints& to) {
    to.x[lane] = point.x();
    to.y[lane] = point.y();
    to.z[lane] = point.z();
}
Point get(const LanePoints& from, int lane) { return {from.x[lane], from.y[lane], from.z[lane]}; }

void check_frame(const FrameLanes& frames, int lane, const LocalFrame& frame) {
    CHECK(frames.sound[lane] == (frame.sound ? 1 : 0));
    CHECK(frame.sound == (lane != collapsed_piece));
    if (!frame.sound) return;
    CHECK((get(frames.origin, lane) - frame.origin).norm() < 1e-6);
    CHECK((get(frames.along, lane) - frame.axes.col(0)).norm() < 1e-5);
    CHECK((get(frames.across, lane) - frame.axes.col(1)).norm() < 1e-5);
    CHECK((get(frames.normal, lane) - frame.axes.col(2)).norm() < 1e-5);
    CHECK(std::abs(frames.scale[lane] - frame.trust) < 1e-5);
    CHECK(frame.trust == (lane == stranger_piece ? 0 : lane == strange_piece ? frame.trust : 1));
}

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

TEST_CASE("A tile of patches has the frames and inputs of each patch by itself") {
    Random random(2);
    Neighbourhood rest;
    for (size_t i = 0; i < 16; ++i)
        rest[i] = Point(0.1f * static_cast<float>(i % 4), 0.1f * static_cast<float>(i / 4), 0);
    std::array<LanePoints, 16> around, inputs;
    std::vector<Neighbourhood> patches;
    for (int k = 0; k < lane_count; ++k) {
        patches.push_back(random_piece(random, k, rest));
        for (size_t i = 0; i < 16; ++i) put(patches.back()[i], k, around[i]);
    }
    FrameLanes frames;
    write_patch_inputs(around.data(), 0.1f, frames, inputs.data());
    for (int k = 0; k < lane_count; ++k) {
        const Neighbourhood& patch = patches[static_cast<size_t>(k)];
        const LocalFrame frame = patch_frame(patch, 0.1f);
        check_frame(frames, k, frame);
        if (!frame.sound) continue;
        std::array<float, 48> expected;
        write_local_input(patch, frame, expected);
        for (size_t i = 0; i < 16; ++i)
            CHECK((get(inputs[i], k) - Eigen::Map<Point>(expected.data() + 3 * i)).norm() < 1e-4);
    }
    CHECK(frames.collapsed(lane_count) == 1);
    CHECK(frames.collapsed(collapsed_piece) == 0);
}

TEST_CASE("A tile of triangles has the frames, inputs and butterflies of each triangle by itself") {
    // An irregular mesh, so that the butterfly moves midpoints at rest already.
    Positions rest = flat({9, 9});
    Random random(3);
    for (long v = 0; v < rest.rows(); ++v)
        rest.row(v) += 0.008 * Eigen::RowVector3d(random.uniform(-1, 1), 0, random.uniform(-1, 1));
    const geometry::Subdivision level = geometry::subdivide_grid({5, 5});
    const TriangleElements elements(level, rest, Features::Local);
    const Positions coarse = geometry::sample(level.fine_vertices, rest);
    const auto at_rest = [&](int v) { return Point(coarse.row(v).cast<float>()); };

    std::array<LanePoints, 6> points, inputs;
    std::array<LanePoints, 3> midpoints;
    std::array<Lanes, 6> bends;
    Lanes units;
    std::vector<TrianglePoints> triangles;
    for (int t = 0; t < lane_count; ++t) {
        triangles.push_back(random_piece(random, t, elements.gather(t, at_rest)));
        for (size_t i = 0; i < 6; ++i) put(triangles.back()[i], t, points[i]);
        units[t] = elements.unit(t);
        for (int i = 0; i < 6; ++i) bends[static_cast<size_t>(i)][t] = elements.rest_bend(t, i / 2)(i % 2);
    }
    CHECK(std::abs(bends[0][0]) > 1e-3);
    FrameLanes frames;
    write_triangle_inputs(points.data(), units, bends.data(), frames, inputs.data(), midpoints.data());
    for (int t = 0; t < lane_count; ++t) {
        const TrianglePoints& p = triangles[static_cast<size_t>(t)];
        const LocalFrame frame = elements.frame(t, p);
        check_frame(frames, t, frame);
        for (int i = 0; i < 3; ++i)
            CHECK((get(midpoints[static_cast<size_t>(i)], t) - elements.base(t, p, i)).norm() < 1e-6);
        if (!frame.sound) continue;
        std::array<float, 18> expected;
        elements.write_input(t, p, frame, expected);
        for (size_t i = 0; i < 6; ++i)
            CHECK((get(inputs[i], t) - Eigen::Map<Point>(expected.data() + 3 * i)).norm() < 1e-4);
    }
}

TEST_CASE(
    "What networks say of a tile is turned into the world, less of it for strange pieces, nothing for collapsed") {
    Random random(4);
    FrameLanes frames;
    std::array<LanePoints, 2> outputs, answers;
    std::vector<LocalFrame> plain;
    for (int k = 0; k < lane_count; ++k) {
        const auto number = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        const auto point = [&] { return Point(number(), number(), number()); };
        const Point side = 0.1f * point().normalized(), other = 0.1f * side.unitOrthogonal();
        plain.push_back(make_frame(point(), k == strange_piece ? Point(1.4f * side) : side, other, 0.1f));
        const LocalFrame& frame = plain.back();
        put(frame.origin, k, frames.origin);
        const float sound = k == collapsed_piece ? 0.0f : 1.0f;
        put(sound * frame.axes.col(0), k, frames.along);
        put(sound * frame.axes.col(1), k, frames.across);
        put(sound * frame.axes.col(2), k, frames.normal);
        frames.unit[k] = frame.unit;
        frames.scale[k] = frame.trust;
        frames.sound[k] = sound;
        for (size_t p = 0; p < 2; ++p) {
            put(point(), k, outputs[p]);
            put(Point(1, 2, 3), k, answers[p]);
        }
    }
    add_in_world(frames, outputs.data(), 2, answers.data());
    for (int k = 0; k < lane_count; ++k)
        for (size_t p = 0; p < 2; ++p) {
            Point said = plain[static_cast<size_t>(k)].direction_to_world(get(outputs[p], k));
            if (k == collapsed_piece) said.setZero();
            CHECK((get(answers[p], k) - Point(1, 2, 3) - said).norm() < 1e-5);
        }
}
