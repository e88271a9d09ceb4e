// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/trust.h"

#include "tests/methods/upscaling/models.h"
#include "tulle/methods/upscaling/canonical_lanes.h"
#include "tulle/methods/upscaling/cascade/cascade_upscaler.h"
#include "tulle/methods/upscaling/miniature/patch_samples.h"
#include "tulle/methods/upscaling/miniature/patch_upscaler.h"

#include <doctest/doctest.h>

#include <array>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

TEST_CASE("An answer is taken whole without caution, and the less the more it is doubted") {
    CHECK(weigh(0.5f, 10, {.caution = 0}).share == doctest::Approx(1));
    float last = 1;
    for (const float bound : {0.01f, 0.1f, 0.5f, 2.0f, 50.0f}) {
        const float share = weigh(0.5f, bound, {.caution = 0.5f}).share;
        CHECK(share < last);
        last = share;
    }
    CHECK(last < 0.001f);
    // What is taken back of an answer may be missing: the bound grows by it.
    CHECK(weigh(0.5f, 50, {.bound_factor = 2, .caution = 0.5f}).bound == doctest::Approx(2 * 50.5f).epsilon(1e-3));
}

TEST_CASE("Answers of a tile are weighed as one by one") {
    Random random(4);
    std::array<LanePoints, 10> outputs;
    FrameLanes frames;
    for (int lane = 0; lane < lane_count; ++lane) {
        for (LanePoints& point : outputs)
            for (Lanes* numbers : {&point.x, &point.y, &point.z})
                (*numbers)[lane] = static_cast<float>(random.uniform(-1, 1));
        frames.scale[lane] = 0.1f;
        frames.unit[lane] = 0.05f;
    }
    const Trust trust{.bound_factor = 1.3f, .caution = 0.4f};
    const Lanes bounds = weigh_answers(outputs.data(), 9, trust, frames);
    for (int lane = 0; lane < lane_count; ++lane) {
        float sum = 0;
        for (size_t p = 0; p < 9; ++p)
            sum += Eigen::Vector3f(outputs[p].x[lane], outputs[p].y[lane], outputs[p].z[lane]).squaredNorm();
        const float scale = 0.1f * std::exp(outputs[9].x[lane]);
        const WeighedAnswer weighed = weigh(std::sqrt(sum / 27), std::exp(outputs[9].y[lane]), trust);
        CHECK(frames.scale[lane] == doctest::Approx(scale * weighed.share).epsilon(1e-5));
        CHECK(bounds[lane] == doctest::Approx(std::sqrt(3.0f) * 0.05f * scale * weighed.bound).epsilon(1e-5));
    }
}

namespace {

// Answers with zeros, and says that nine of ten errors are below exp(−1) of a patch's size.
neural::Network doubtful_network() {
    std::vector<float> answer(29, 0.0f);
    answer.back() = -1;
    return constant_network(54, answer);
}

}  // namespace

TEST_CASE("A vertex has the bounds of its patches") {
    const geometry::GridSize size{9, 13};
    const Positions rest = flat(size);
    const geometry::Miniature miniature = geometry::make_miniature(size, 2);
    const PatchUpscaler upscaler(miniature, rest, doubtful_network(), {});
    Positions fine;
    const std::vector<Positions> coarse = {geometry::sample(miniature.fine_vertices(), waving(rest))};
    const UpscaleReport report = upscaler.upscale(coarse, fine);
    const Eigen::VectorXf bounds = upscaler.vertex_bounds(report);
    REQUIRE(bounds.size() == size.vertex_count());
    const auto of_patch = [&](int row, int column) {
        const int patch = row * (miniature.coarse.columns - 1) + column;
        return report.bounds[static_cast<size_t>(patch / lane_count)][patch % lane_count];
    };
    CHECK(of_patch(0, 0) > 0);
    CHECK(of_patch(0, 0) != of_patch(0, 1));
    CHECK(bounds(size.index(1, 1)) == of_patch(0, 0));
    CHECK(bounds(size.index(1, 2)) == doctest::Approx(0.5f * (of_patch(0, 0) + of_patch(0, 1))));
    CHECK(bounds(size.index(2, 2)) ==
          doctest::Approx(0.25f * (of_patch(0, 0) + of_patch(0, 1) + of_patch(1, 0) + of_patch(1, 1))));
}

TEST_CASE("What the stages of a cascade may be off by adds up") {
    const geometry::GridSize fine_size{9, 13}, middle_size{5, 7};
    const Positions rest = flat(fine_size);
    const geometry::Miniature last = geometry::make_miniature(fine_size, 2),
                              first = geometry::make_miniature(middle_size, 2);
    const auto stage = [&](const geometry::Miniature& miniature, const Positions& positions) {
        return std::make_unique<PatchUpscaler>(miniature, positions, doubtful_network(), PieceSettings{});
    };
    const Positions middle_rest = geometry::sample(last.fine_vertices(), rest);
    const std::vector<Positions> coarse = {geometry::sample(first.fine_vertices(), waving(middle_rest))};
    Positions middle, fine;
    const Eigen::VectorXf before =
        stage(first, middle_rest)->vertex_bounds(stage(first, middle_rest)->upscale(coarse, middle));
    const Eigen::VectorXf own = stage(last, rest)->vertex_bounds(stage(last, rest)->upscale({&middle, 1}, fine));
    std::vector<std::unique_ptr<Upscaler>> stages;
    stages.push_back(stage(first, middle_rest));
    stages.push_back(stage(last, rest));
    const CascadeUpscaler cascade(std::move(stages));
    const Eigen::VectorXf all = cascade.vertex_bounds(cascade.upscale(coarse, fine));
    CHECK(before.minCoeff() > 0);
    CHECK((all - own - geometry::interpolate_numbers(last, before)).norm() < 1e-7f);
}

TEST_CASE("What a patch of a simulated coarse cloth should be is the truth, its corners too") {
    const geometry::GridSize size{3, 3};  // a single patch
    datasets::Sequence full{.name = "full", .grid = size, .frame_time = 0.04};
    full.mesh.positions = flat(size);
    const Positions truth = waving(full.mesh.positions);
    const geometry::Miniature miniature = geometry::make_miniature(size, 2);
    Positions off = geometry::sample(miniature.fine_vertices(), truth);
    off.row(0) += Eigen::RowVector3d(0.004, -0.002, 0.003);
    off.row(3) += Eigen::RowVector3d(-0.001, 0.005, 0.002);
    datasets::Sequence coarse{.name = "coarse", .grid = miniature.coarse, .frame_time = 0.04};
    coarse.mesh.positions = geometry::sample(miniature.fine_vertices(), full.mesh.positions);
    const auto add = [](datasets::Sequence& to, const Positions& positions) {
        for (const double number : positions.reshaped<Eigen::RowMajor>())
            to.positions.push_back(static_cast<float>(number));
    };
    add(full, truth);
    add(coarse, off);
    const PatchSamples samples(full, {2, Features::Canonical}, {}, &coarse);
    REQUIRE(samples.count() == 1);
    std::vector<float> input(54), answer(29);
    samples.cut(0, input, answer);
    const Neighbourhood around = neighbourhood({miniature.coarse, coarse.frame(0)}, {});
    const CanonicalFrame frame = canonical_patch_frame(around, 0.1f);
    const float scale = answer_scale(write_canonical_input(around, frame, {}, input));
    for (int v = 0; v < 9; ++v) {
        const Eigen::Vector3f said = scale * Eigen::Map<const Eigen::Vector3f>(answer.data() + 3L * v);
        const Point place = PatchInterpolation(2).at(v, around) + frame.local.direction_to_world(said);
        CHECK((place - Point(truth.row(v).cast<float>())).norm() < 1e-6f);
    }
}

TEST_CASE("Vertices of the coarse cloth move only if the network may correct them") {
    const geometry::GridSize size{3, 3};
    const Positions rest = flat(size);
    std::vector<float> outward(29, 0.0f);  // every corner along its diagonal, which has all symmetries of a patch
    for (const size_t v : {0U, 2U, 6U, 8U}) {
        outward[3 * v] = v % 3 == 0 ? -0.1f : 0.1f;
        outward[3 * v + 1] = v / 3 == 0 ? -0.1f : 0.1f;
    }
    const geometry::Miniature miniature = geometry::make_miniature(size, 2);
    const Positions coarse = geometry::sample(miniature.fine_vertices(), waving(rest));
    const auto shown = [&](bool corrects) {
        return upscaled(PatchUpscaler(miniature, rest, constant_network(54, outward), {.corrects_coarse = corrects}),
                        coarse);
    };
    CHECK(largest_distance(geometry::sample(miniature.fine_vertices(), shown(false)), coarse) == 0);
    const Positions moved_corners = geometry::sample(miniature.fine_vertices(), shown(true));
    for (int corner = 0; corner < 4; ++corner) CHECK((moved_corners.row(corner) - coarse.row(corner)).norm() > 1e-4);
}
