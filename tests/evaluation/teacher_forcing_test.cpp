// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/teacher_forcing.h"

#include "tests/support/cloths.h"
#include "tests/support/near.h"
#include "tulle/methods/upscaling/interpolation_upscaler.h"

#include <doctest/doctest.h>

#include <cmath>

namespace tulle::evaluation {

namespace {

const geometry::Miniature& miniature() {
    static const geometry::Miniature instance = geometry::make_miniature({9, 13}, 2);
    return instance;
}

methods::InterpolationUpscaler upscaler(geometry::Interpolation interpolation) { return {miniature(), interpolation}; }

// A flat cloth that is stretched, sheared and carried away.
Positions affine_frame(int frame) {
    const double t = 0.1 * frame;
    const Matrix3 map = (Matrix3() << 1 + t, 0.3 * t, 0, -0.2 * t, 1 - 0.1 * t, 0, 0.5 * t, t, 1).finished();
    return (test::grid_cloth().mesh.positions * map.transpose()).rowwise() + Eigen::RowVector3d(t, 0, -t * t);
}

Positions waving_frame(int frame) {
    Positions positions = test::grid_cloth().mesh.positions;
    for (long v = 0; v < positions.rows(); ++v) positions(v, 2) = 0.05 * std::sin(40 * positions(v, 0) + frame);
    return positions;
}

}  // namespace

TEST_CASE("Interpolation forced by a teacher that moves affinely makes no error") {
    for (const auto interpolation : {geometry::Interpolation::Bilinear, geometry::Interpolation::Bicubic}) {
        const methods::InterpolationUpscaler up = upscaler(interpolation);
        TeacherForcing forcing(up, miniature().fine_vertices());
        for (int frame = 0; frame < 5; ++frame) forcing.add(affine_frame(frame));
        CHECK(forcing.summary().max < 1e-14);
    }
}

TEST_CASE("Forcing frame after frame gives what the whole sequence gives, the first frame not counted") {
    const methods::InterpolationUpscaler up = upscaler(geometry::Interpolation::Bicubic);
    TeacherForcing forcing(up, miniature().fine_vertices());
    datasets::Sequence sequence{.mesh = test::grid_cloth().mesh, .grid = {9, 13}, .frame_time = 0.04, .positions = {}};
    for (int frame = 0; frame < 5; ++frame) {
        const Rows<float, 3> rounded = waving_frame(frame).cast<float>();
        sequence.positions.insert(sequence.positions.end(), rounded.data(), rounded.data() + rounded.size());
        forcing.add(rounded.cast<double>());
    }
    const DistanceSummary whole = teacher_forced_error(up, miniature().fine_vertices(), sequence);
    CHECK(whole.mean > 1e-4);
    CHECK(forcing.summary().mean == test::near(whole.mean));
    CHECK(forcing.summary().max == test::near(whole.max));
    CHECK(forcing.summary().p95 == doctest::Approx(whole.p95).epsilon(0.006).scale(0));
}

}  // namespace tulle::evaluation
