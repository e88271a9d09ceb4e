// SPDX-License-Identifier: Apache-2.0
#include "tests/methods/upscaling/support.h"
#include "tests/support/error_of.h"
#include "tulle/geometry/miniature.h"
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

void add_frame(datasets::Sequence& sequence, const Positions& positions) {
    for (const double number : positions.reshaped<Eigen::RowMajor>())
        sequence.positions.push_back(static_cast<float>(number));
}

datasets::Sequence waving_sequence(const geometry::GridSize& size, int frames) {
    datasets::Sequence sequence{.name = "waves", .grid = size, .frame_time = 0.04};
    sequence.mesh = geometry::make_grid_cloth(size, {}).mesh;
    sequence.mesh.positions = flat(size);
    for (int f = 0; f < frames; ++f) add_frame(sequence, waving(sequence.mesh.positions, 0.3 * f));
    return sequence;
}

Positions frame_of(const datasets::Sequence& sequence, long index) {
    return Eigen::Map<const Rows<float, 3>>(sequence.frame(index), sequence.vertex_count(), 3).cast<double>();
}

struct Pair {
    std::vector<float> input, output;
};

Pair cut(const datasets::SampleSource& samples, long index) {
    Pair pair{std::vector<float>(static_cast<size_t>(samples.input_size())),
              std::vector<float>(static_cast<size_t>(samples.output_size()))};
    samples.cut(index, pair.input, pair.output);
    return pair;
}

}  // namespace

TEST_CASE("A sequence has a patch for every window of every frame") {
    const datasets::Sequence sequence = waving_sequence({49, 73}, 4);
    CHECK(PatchSamples(sequence, {.factor = 2}).count() == 4 * 47 * 71);
    CHECK(PatchSamples(sequence, {.factor = 4}).count() == 4 * 45 * 69);
    CHECK(PatchSamples(sequence, {.factor = 2, .features = Features::Paper}).count() == 2 * 47 * 71);
    CHECK(PatchSamples(sequence, {.factor = 2, .features = Features::PaperVelocities}).count() == 3 * 47 * 71);
    CHECK(PatchSamples(sequence, {.factor = 2}).input_size() == 54);
    CHECK(PatchSamples(sequence, {.factor = 2, .features = Features::Paper}).input_size() == 36);
    CHECK(PatchSamples(sequence, {.factor = 3}).output_size() == 50);
}

TEST_CASE("A sequence that is no grid has no patches") {
    datasets::Sequence sequence = waving_sequence({5, 5}, 1);
    sequence.grid = {0, 0};
    CHECK(tulle::test::contains(tulle::test::error_of([&] { PatchSamples(sequence, {.factor = 2}); }),
                                "no patches to learn from"));
}

TEST_CASE("The paper's patches have three frames of their corners as input and all their vertices as answer") {
    const datasets::Sequence sequence = waving_sequence({5, 7}, 4);
    const PatchSamples samples(sequence, {.factor = 2, .features = Features::Paper});
    const int windows = 3 * 5, row = 2, column = 3;
    const Pair pair = cut(samples, windows + row * 5 + column);  // of frames 1, 2 and 3
    const auto number = [&](long frame, int r, int c, int axis) {
        return sequence.frame(frame)[3 * sequence.grid.index(r, c) + axis];
    };
    CHECK(pair.input[0] == number(1, 2, 3, 0));
    CHECK(pair.input[12 + 3 + 1] == number(2, 2, 5, 1));
    CHECK(pair.input[24 + 9 + 2] == number(3, 4, 5, 2));
    CHECK(pair.output[0] == number(3, 2, 3, 0));
    CHECK(pair.output[3 * 5 + 1] == number(3, 3, 5, 1));
    CHECK(pair.output[3 * 8 + 2] == number(3, 4, 5, 2));
    const PatchSamples speeds(sequence, {.factor = 2, .features = Features::PaperVelocities});
    const Pair moving = cut(speeds, 2 * windows + row * 5 + column);  // of frames 2 and 3
    CHECK(moving.input[0] == number(3, 2, 3, 0));
    CHECK(moving.input[12 + 1] == (number(3, 2, 3, 1) - number(2, 2, 3, 1)) / 0.04f);
}

TEST_CASE("A patch that has collapsed teaches nothing") {
    datasets::Sequence sequence = waving_sequence({3, 3}, 1);
    std::fill(sequence.positions.begin(), sequence.positions.end(), 0.5f);
    const Pair pair = cut(PatchSamples(sequence, {.factor = 2}), 0);
    CHECK(std::all_of(pair.input.begin(), pair.input.end(), [](float x) { return x == 0; }));
    CHECK(std::all_of(pair.output.begin(), pair.output.end(), [](float x) { return x == 0; }));
}

TEST_CASE("A sequence has every triangle of the coarser level of every frame") {
    const datasets::Sequence sequence = waving_sequence({13, 17}, 3);
    const geometry::Hierarchy hierarchy = geometry::grid_hierarchy(sequence.grid, 2);
    CHECK(TriangleSamples(sequence, hierarchy, 1, {}, Features::Canonical).count() == 3 * 2 * 3 * 4);
    CHECK(TriangleSamples(sequence, hierarchy, 2, {}, Features::Canonical).count() == 3 * 2 * 6 * 8);
}

TEST_CASE("A network that says where the paper's midpoints should be gives back the fine frame") {
    geometry::TriangleMesh triangle;
    triangle.positions.resize(3, 3);
    triangle.positions << 0, 0, 0, 0.1, 0, 0, 0.02, 0, 0.12;
    triangle.triangles.resize(1, 3);
    triangle.triangles << 0, 1, 2;
    const geometry::Hierarchy hierarchy = geometry::mesh_hierarchy(triangle, 1);
    datasets::Sequence sequence{.name = "triangle", .frame_time = 0.04};
    sequence.mesh = geometry::refine(triangle, hierarchy.subdivisions.front());
    add_frame(sequence, waving(sequence.mesh.positions, 0.7));
    const TriangleSamples samples(sequence, hierarchy, 1, {}, Features::Paper);
    const TriangleUpscaler oracle(hierarchy.subdivisions.front(), {}, sequence.mesh.positions,
                                  constant_network(samples.input_size(), cut(samples, 0).output),
                                  {.features = Features::Paper});
    const Positions truth = frame_of(sequence, 0);
    CHECK(largest_distance(upscaled(oracle, geometry::sample(hierarchy.fine_vertices[0], truth)), truth) < 1e-6);
}

TEST_CASE("At the border of a grid each of the paper's triangles alone gives back its midpoints, on both levels") {
    const datasets::Sequence sequence = waving_sequence({9, 13}, 2);
    const geometry::Hierarchy hierarchy = geometry::grid_hierarchy(sequence.grid, 2);
    for (const int level : {1, 2}) {
        const geometry::Subdivision& subdivision = hierarchy.subdivisions[static_cast<size_t>(level - 1)];
        const auto& fine_vertices = hierarchy.fine_vertices[static_cast<size_t>(level)];
        const TriangleSamples samples(sequence, hierarchy, level, {}, Features::Paper);
        const Positions truth = geometry::sample(fine_vertices, frame_of(sequence, 1));
        const Positions coarse = geometry::sample(subdivision.fine_vertices, truth);
        const Positions rest = geometry::sample(fine_vertices, sequence.mesh.positions);
        for (long t = 0; t < subdivision.triangles.rows(); ++t) {
            const Pair pair = cut(samples, subdivision.triangles.rows() + t);
            const TriangleUpscaler oracle(subdivision, {}, rest, constant_network(samples.input_size(), pair.output),
                                          {.features = Features::Paper});
            const Positions fine = upscaled(oracle, coarse);
            for (int i = 0; i < 3; ++i) {
                if (subdivision.across(t, i) >= 0) continue;
                const int v = subdivision.fine_midpoints[static_cast<size_t>(subdivision.edges_of_triangle(t, i))];
                CHECK((fine.row(v) - truth.row(v)).norm() < 1e-6);
            }
        }
    }
}
