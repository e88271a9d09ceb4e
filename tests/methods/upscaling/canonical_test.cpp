// SPDX-License-Identifier: Apache-2.0
// Patches in canonical form: what changes nothing in the cloth changes nothing in the answer.
#include "tulle/methods/upscaling/canonical.h"

#include "tests/methods/upscaling/support.h"
#include "tests/neural/symmetries.h"
#include "tulle/geometry/miniature.h"
#include "tulle/geometry/upsampling.h"
#include "tulle/methods/upscaling/canonical_lanes.h"
#include "tulle/methods/upscaling/miniature/patch.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

const geometry::GridSize size{9, 9};

neural::Network some_network(int factor) {
    return neural::test::symmetric_network(patch_symmetry({factor, Features::Canonical}), {32, 32});
}

struct Cloth {
    int factor = 2;
    geometry::Miniature miniature = geometry::make_miniature(size, factor);
    Positions rest = flat(size);
    PatchUpscaler upscaler{miniature, rest, some_network(factor), {.features = Features::Canonical}};

    Positions coarse(const Positions& fine) const { return geometry::sample(miniature.fine_vertices(), fine); }
    Positions correction(const Positions& coarse_positions) const {
        Positions bicubic;
        geometry::Upsampling(miniature, geometry::Interpolation::Bicubic).apply(coarse_positions, bicubic);
        return upscaled(upscaler, coarse_positions) - bicubic;
    }
};

// Rows and columns exchanged, or counted from the other end.
Positions relabelled(const geometry::GridSize& grid, const Positions& positions, bool transpose, bool along,
                     bool across) {
    Positions result(positions.rows(), 3);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            int from_row = across ? grid.rows - 1 - row : row, from_column = along ? grid.columns - 1 - column : column;
            if (transpose) std::swap(from_row, from_column);
            result.row(grid.index(row, column)) = positions.row(grid.index(from_row, from_column));
        }
    return result;
}

Neighbourhood random_neighbourhood(Random& random, float bend) {
    Neighbourhood around;
    for (int i = 0; i < 16; ++i) {
        const auto off = [&] { return bend * static_cast<float>(random.uniform(-1, 1)); };
        around[static_cast<size_t>(i)] =
            0.05f * Point(patch_u(i) + off(), 0.3f * patch_v(i) + off(), patch_v(i) + off());
    }
    return around;
}

}  // namespace

TEST_CASE("A cloth that is only stretched, sheared and turned gets no correction, up to three times its length") {
    const Cloth cloth;
    const Positions coarse = cloth.coarse(cloth.rest);
    for (const double stretch : {0.3, 1.0, 1.3, 1.5, 3.0})
        for (const double shear : {0.0, 0.5}) {
            Eigen::Matrix3d map = Eigen::Matrix3d::Identity();
            map(0, 0) = stretch;
            map(0, 2) = shear;
            const Positions stretched = moved(some_motion({1, -2, 0.5}), coarse * map.transpose());
            CHECK(cloth.correction(stretched).rowwise().norm().maxCoeff() < 1e-6 * 0.1);  // of a cell of 10 cm
        }
    CHECK(cloth.correction(cloth.coarse(waving(cloth.rest))).rowwise().norm().maxCoeff() > 1e-3);
}

TEST_CASE(
    "Turning a cloth over, mirroring it and counting its rows and columns otherwise only does that to the answer") {
    const Cloth cloth;
    const Positions coarse = cloth.coarse(waving(cloth.rest)), fine = upscaled(cloth.upscaler, coarse);
    const double spacing = 0.1;
    const Positions mirrored = upscaled(cloth.upscaler, coarse * Vector3(1, -1, 1).asDiagonal());
    CHECK(largest_distance(mirrored, fine * Vector3(1, -1, 1).asDiagonal()) < 1e-6 * spacing);
    for (const bool transpose : {false, true})
        for (const bool along : {false, true})
            for (const bool across : {false, true}) {
                const auto change = [&](const geometry::GridSize& grid, const Positions& positions) {
                    return relabelled(grid, positions, transpose, along, across);
                };
                const Positions other = upscaled(cloth.upscaler, change(cloth.miniature.coarse, coarse));
                CHECK(largest_distance(other, change(cloth.miniature.fine, fine)) < 1e-5 * spacing);
            }
}

TEST_CASE("The polar frame turns with the piece and its stretch does not") {
    const Point along(0.06f, 0.01f, 0), across(0.01f, 0.02f, 0.04f);
    const CanonicalFrame frame = make_canonical_frame(Point::Zero(), along, across, 0.05f);
    REQUIRE(frame.is_sound());
    const Eigen::Matrix3f& q = frame.local.axes;
    CHECK((q.transpose() * q - Eigen::Matrix3f::Identity()).norm() < 1e-6f);
    const Eigen::Vector3f& s = frame.stretch;
    CHECK((0.05f * (q.col(0) * s(0) + q.col(1) * s(1)) - along).norm() < 1e-8f);
    CHECK((0.05f * (q.col(0) * s(1) + q.col(1) * s(2)) - across).norm() < 1e-8f);
    const Eigen::Matrix3f turn = some_motion({0, 0, 0}).linear().cast<float>();
    const CanonicalFrame turned = make_canonical_frame(Point::Zero(), turn * along, turn * across, 0.05f);
    CHECK((turned.local.axes - turn * q).norm() < 1e-5f);
    CHECK((turned.stretch - s).norm() < 1e-5f);
    CHECK(!make_canonical_frame(Point::Zero(), along, 2 * along, 0.05f).is_sound());
}

TEST_CASE("Canonical patches of a tile are written as one by one") {
    Random random(3);
    std::array<LanePoints, 16> around;
    std::array<LanePoints, 18> inputs;
    std::vector<Neighbourhood> patches;
    for (int lane = 0; lane < lane_count; ++lane) {
        patches.push_back(random_neighbourhood(random, lane == 0 ? 0.0f : 0.02f * static_cast<float>(lane)));
        if (lane == 5) patches.back().fill(Point(1, 2, 3));  // collapsed
        for (size_t p = 0; p < 16; ++p) {
            around[p].x[lane] = patches.back()[p].x();
            around[p].y[lane] = patches.back()[p].y();
            around[p].z[lane] = patches.back()[p].z();
        }
    }
    FrameLanes frames;
    const Stiffness stiffness{.stretch = 100, .folding = 1e-6, .density = 0.8, .frame_time = 0.04};
    write_canonical_patch_inputs(around.data(), 0.05f, stiffness_inputs(stiffness, 0.05f), frames, inputs.data());
    for (int lane = 0; lane < lane_count; ++lane) {
        const CanonicalFrame frame = canonical_patch_frame(patches[static_cast<size_t>(lane)], 0.05f);
        CHECK(frame.is_sound() == (lane != 5));
        CHECK((frames.sound[lane] == 1) == (lane != 5));
        if (!frame.is_sound()) continue;
        std::vector<float> expected(54);
        const float piece_size = write_canonical_input(patches[static_cast<size_t>(lane)], frame, stiffness, expected);
        CHECK(frames.scale[lane] == doctest::Approx(answer_scale(piece_size)).epsilon(1e-3));
        const bool is_rounding = lane == 0;  // a flat patch has no shape but noise
        for (size_t i = 0; i < 54 && !is_rounding; ++i)
            CHECK((&inputs[i / 3].x)[i % 3][lane] == doctest::Approx(expected[i]).epsilon(1e-4));
    }
    CHECK(frames.collapsed(lane_count) == 1);
}

TEST_CASE("A network that says what a canonical sample asks for makes the sample's patch, border patches included") {
    for (const int factor : {2, 3, 4}) {
        CAPTURE(factor);
        const Cloth cloth;
        datasets::Sequence sequence;
        sequence.mesh.positions = cloth.rest;
        sequence.grid = size;
        sequence.frame_time = 0.04;
        const Rows<float, 3> truth = waving(cloth.rest).cast<float>();
        sequence.positions.assign(truth.data(), truth.data() + truth.size());
        const PatchShape shape{factor};
        const PatchSamples samples(sequence, shape);
        const PatchInterpolation bicubic(factor);
        std::vector<float> input(54), output(static_cast<size_t>(shape.output_size()));
        for (long sample = 0; sample < samples.count(); ++sample) {
            samples.cut(sample, input, output);
            CHECK(output[output.size() - 2] >= 0.25f);  // its weight
            const PatchPlace place{.row = static_cast<int>(sample) / (size.columns - factor),
                                   .column = static_cast<int>(sample) % (size.columns - factor),
                                   .step = factor};
            const Neighbourhood around = neighbourhood({size, sequence.frame(0)}, place);
            const CanonicalFrame frame = canonical_patch_frame(around, 0.05f * static_cast<float>(factor));
            const float scale = answer_scale(write_canonical_input(around, frame, {}, input));
            for (int v = 0; v < shape.points(); ++v) {
                const Eigen::Vector3f said = scale * Eigen::Map<const Eigen::Vector3f>(output.data() + 3L * v);
                const Point found = bicubic.at(v, around) + frame.local.direction_to_world(said);
                const Point expected =
                    truth.row(size.index(place.row + v / shape.side(), place.column + v % shape.side()));
                CHECK((found - expected).norm() < 1e-6f);
            }
        }
    }
}

TEST_CASE("A network that sees motion sees it from the cloth, and as its samples are cut") {
    const geometry::Miniature miniature = geometry::make_miniature(size, 2);
    const Positions rest = flat(size);
    const PatchUpscaler upscaler(miniature, rest,
                                 neural::test::symmetric_network(patch_symmetry({2, Features::Motion}), {32, 32}),
                                 {.features = Features::Motion});
    REQUIRE(upscaler.frames_seen() == 2);
    const Positions before = geometry::sample(miniature.fine_vertices(), waving(rest, 0)),
                    now = geometry::sample(miniature.fine_vertices(), waving(rest, 0.4));
    const auto shown = [&](const Positions& then, const Positions& since) {
        Positions fine;
        upscaler.upscale(std::vector<Positions>{then, since}, fine);
        return fine;
    };
    const Positions fine = shown(before, now);
    CHECK(largest_distance(fine, shown(now, now)) > 1e-5);  // it matters where the cloth comes from
    // However either frame is placed.
    const Eigen::Isometry3d one = some_motion({1, 2, 3}), other = some_motion({-1, 0, 2}) * some_motion({0, 0, 1});
    CHECK(largest_distance(shown(moved(one, before), moved(other, now)), moved(other, fine)) < 1e-5);
}

TEST_CASE("Earlier shapes of a tile are written as one by one") {
    Random random(5);
    std::array<LanePoints, 16> around, before;
    std::array<LanePoints, 18> inputs;
    std::array<LanePoints, 16> earlier;
    std::vector<Neighbourhood> now, then;
    const auto put = [](const Neighbourhood& from, int lane, std::array<LanePoints, 16>& to) {
        for (size_t p = 0; p < 16; ++p) {
            to[p].x[lane] = from[p].x();
            to[p].y[lane] = from[p].y();
            to[p].z[lane] = from[p].z();
        }
    };
    for (int lane = 0; lane < lane_count; ++lane) {
        now.push_back(random_neighbourhood(random, 0.02f));
        then.push_back(random_neighbourhood(random, 0.02f));
        if (lane == 3) then.back().fill(Point(1, 2, 3));  // collapsed
        put(now.back(), lane, around);
        put(then.back(), lane, before);
    }
    FrameLanes frames;
    write_canonical_patch_inputs(around.data(), 0.05f, {0, 0}, frames, inputs.data());
    write_earlier_patch_shapes(before.data(), frames, inputs.data(), earlier.data());
    for (int lane = 0; lane < lane_count; ++lane) {
        const auto k = static_cast<size_t>(lane);
        std::vector<float> expected(102);
        const float piece_size = write_canonical_input(now[k], canonical_patch_frame(now[k], 0.05f), {}, expected);
        write_earlier_shape(then[k], canonical_patch_frame(then[k], 0.05f), piece_size, std::span(expected).first(48),
                            std::span(expected).subspan(54));
        for (size_t i = 0; i < 48; ++i)
            CHECK((&earlier[i / 3].x)[i % 3][lane] == doctest::Approx(expected[54 + i]).epsilon(1e-4));
    }
}
