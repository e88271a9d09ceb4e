// SPDX-License-Identifier: Apache-2.0
#include "tests/methods/force_cell/identification/recordings.h"
#include "tests/support/near.h"
#include "tulle/methods/force_cell/identification/grid_smoothing.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::test;

namespace {

// x = a polynomial of third degree in time for every vertex.
methods::MotionRecording cubic_motion(int vertices, int frames) {
    methods::MotionRecording recording{{}, 0, 0.01};
    for (int f = 0; f < frames; ++f) {
        const double t = 0.1 * f;
        Positions frame(vertices, 3);
        for (int v = 0; v < vertices; ++v) frame.row(v) << 1 + t, v + t * t, t * t * t - 2 * t;
        recording.frames.push_back(frame);
    }
    return recording;
}

std::vector<int> all_of(int vertices) {
    std::vector<int> all;
    for (int v = 0; v < vertices; ++v) all.push_back(v);
    return all;
}

}  // namespace

TEST_CASE("Local polynomials keep a cubic motion, also between frames") {
    const methods::MotionRecording recording = cubic_motion(3, 30);
    for (const double offset : {-1.0, -0.25, 0.0, 0.5}) {
        const Positions found = apply(methods::local_polynomial(6, 3, offset), recording, 12);
        const double t = 0.1 * (12 + offset);
        CHECK(found(2, 0) == near(1 + t).epsilon(1e-10));
        CHECK(found(2, 1) == near(2 + t * t).epsilon(1e-10));
        CHECK(found(2, 2) == near(t * t * t - 2 * t).epsilon(1e-9));
    }
}

TEST_CASE("The noise of a recording is found from its positions") {
    const methods::MotionRecording noisy = with_noise(cubic_motion(200, 40), 1e-3, 5);
    CHECK(position_noise(noisy, all_of(200)) == near(1e-3).epsilon(0.05));
    CHECK(position_noise(cubic_motion(200, 40), all_of(200)) < 1e-10);
}

TEST_CASE("Motion that is a polynomial to within the noise may be smoothed far, other motion may not") {
    methods::MotionRecording smooth = with_noise(cubic_motion(200, 80), 1e-3, 5), shaking = cubic_motion(200, 80);
    for (int f = 0; f < 80; ++f) shaking.frames[static_cast<size_t>(f)].array() += 0.05 * std::sin(0.9 * f);
    shaking = with_noise(shaking, 1e-3, 6);
    CHECK(fair_reach(smooth, 40, 3, 1e-3, all_of(200)).reach >= 23);
    CHECK(fair_reach(shaking, 40, 3, 1e-3, all_of(200)).reach <= 4);
}

TEST_CASE("Smoothing over the grid keeps cubic shapes, takes noise away, and spares a kink") {
    const geometry::GridSize size{24, 30};
    Positions shape(size.vertex_count(), 3), kinked(size.vertex_count(), 3);
    for (int v = 0; v < size.vertex_count(); ++v) {
        const double r = 0.1 * (v / 30), c = 0.1 * (v % 30);
        shape.row(v) << r * r * r - c, c * c * r, 1 + r * c;
        kinked.row(v) << 0, 0, std::abs(r - 1.2);
    }
    const Positions kept = methods::smoothed_over_grid(shape, size, 4, 3);
    CHECK((kept - shape).cwiseAbs().maxCoeff() < 1e-10);
    const std::vector<bool> free(static_cast<size_t>(size.vertex_count()), false);
    const Positions noise = random_rows(size.vertex_count(), std::sqrt(3.0) * 1e-3, 7);  // of deviation 1e-3
    const Positions smooth = methods::fairly_smoothed_over_grid(shape + noise, size, 1e-3, free);
    CHECK((smooth - shape).norm() < 0.5 * noise.norm());
    const Positions spared = methods::fairly_smoothed_over_grid(kinked + noise, size, 1e-3, free);
    CHECK((spared - kinked).cwiseAbs().maxCoeff() < 6e-3);
}
