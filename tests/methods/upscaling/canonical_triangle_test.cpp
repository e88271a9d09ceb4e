// SPDX-License-Identifier: Apache-2.0
// Triangles in canonical form, on a mesh in which no triangle is like another.
#include "tulle/methods/upscaling/hierarchy/canonical_triangle.h"

#include "tests/methods/upscaling/support.h"
#include "tests/neural/symmetries.h"
#include "tulle/geometry/miniature.h"
#include "tulle/geometry/subdivision.h"
#include "tulle/methods/upscaling/canonical_lanes.h"
#include "tulle/methods/upscaling/hierarchy/triangle_elements.h"
#include "tulle/methods/upscaling/hierarchy/triangle_samples.h"
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;

namespace {

constexpr double cell = 0.25;  // [m]

geometry::TriangleMesh irregular_mesh() {
    geometry::TriangleMesh mesh = geometry::make_grid_cloth({5, 5}, {.width = 4 * cell, .height = 4 * cell}).mesh;
    Random random(7);
    for (long v = 0; v < mesh.vertex_count(); ++v)
        mesh.positions.row(v) += Eigen::RowVector3d(random.uniform(-0.05, 0.05), 0, random.uniform(-0.05, 0.05));
    return mesh;
}

struct Cloth {
    geometry::TriangleMesh mesh;
    geometry::Subdivision subdivision = geometry::subdivide(mesh);
    Positions rest = geometry::refine(mesh, subdivision).positions;
    neural::Network network = neural::test::symmetric_network(triangle_symmetry(), {24, 24});
    TriangleUpscaler upscaler{
        subdivision, butterfly_stencils(subdivision, rest), rest, network, {.features = Features::Canonical}};

    explicit Cloth(geometry::TriangleMesh coarse = irregular_mesh()) : mesh(std::move(coarse)) {}
    // What the network adds to what it would be without it.
    Positions correction(const Positions& coarse) const {
        const TriangleUpscaler silent(subdivision, butterfly_stencils(subdivision, rest), rest,
                                      silent_network(triangle_symmetry()), {});
        return upscaled(upscaler, coarse) - upscaled(silent, coarse);
    }
};

}  // namespace

TEST_CASE(
    "An irregular cloth that is only stretched, sheared and turned gets no correction, up to three times its length") {
    const Cloth cloth;
    for (const double stretch : {0.3, 1.0, 1.5, 3.0}) {
        Eigen::Matrix3d map = Eigen::Matrix3d::Identity();
        map(0, 0) = stretch;
        map(0, 2) = 0.4;
        const Positions coarse = moved(some_motion({1, -2, 0.5}), cloth.mesh.positions * map.transpose());
        CHECK(cloth.correction(coarse).rowwise().norm().maxCoeff() < 1e-6 * cell);
    }
    CHECK(cloth.correction(waving(cloth.mesh.positions)).rowwise().norm().maxCoeff() > 1e-3);
}

TEST_CASE("Turning a triangle mesh over and relabelling the corners of its triangles changes nothing") {
    const Cloth cloth;
    const Positions coarse = waving(cloth.mesh.positions), fine = upscaled(cloth.upscaler, coarse);
    const Positions mirrored = upscaled(cloth.upscaler, coarse * Vector3(1, -1, 1).asDiagonal());
    CHECK(largest_distance(mirrored, fine * Vector3(1, -1, 1).asDiagonal()) < 1e-6 * cell);
    // All triangles the other way round: their first corners change too.
    geometry::TriangleMesh reversed = cloth.mesh;
    reversed.triangles.col(1).swap(reversed.triangles.col(2));
    const Cloth other(reversed);
    const Positions again = upscaled(other.upscaler, coarse);
    for (long e = 0; e < static_cast<long>(cloth.subdivision.fine_midpoints.size()); ++e) {
        const int v = cloth.subdivision.fine_midpoints[static_cast<size_t>(e)];
        const double nearest = (again.rowwise() - fine.row(v)).rowwise().norm().minCoeff();
        CHECK(nearest < 1e-5 * cell);
    }
}

TEST_CASE("An equilateral triangle with equilateral neighbours has no rest shape to tell of") {
    const float side = corner_distance * std::sqrt(3.0f);
    std::array<Point, 3> corners, across;
    for (size_t k = 0; k < 3; ++k) {
        const Eigen::Vector2f d = corner_direction(static_cast<int>(k));
        corners[k] = 0.2f * corner_distance * Point(d.x(), 0, d.y());
        across[k] = -2 * corners[k];
    }
    CHECK((corners[0] - corners[1]).norm() == doctest::Approx(0.2f * side));
    const RestTriangle rest = make_rest_triangle(corners, across, 0.2f);
    std::vector<float> input(triangle_inputs);
    const CanonicalFrame frame = canonical_triangle_frame(corners, 0.2f);
    const std::array<Point, 3> no_bends = {Point::Zero(), Point::Zero(), Point::Zero()};
    CHECK(write_canonical_input(across, no_bends, frame, rest, {}, input) < 1e-6f);
    for (size_t i = 18; i < 30; ++i) CHECK(std::abs(input[i]) < 1e-5f);
}

TEST_CASE("Canonical triangles of a tile are written as one by one") {
    const Cloth cloth;
    const TriangleElements elements(cloth.subdivision, cloth.rest, Features::Canonical);
    const Positions coarse = waving(cloth.mesh.positions);
    std::array<LanePoints, 9> points;
    const MidpointStencils stencils = butterfly_stencils(cloth.subdivision, cloth.rest);
    std::array<LanePoints, triangle_inputs / 3> inputs;
    Lanes units;
    RestTriangleLanes rest;
    const Stiffness stiffness{.stretch = 5000, .bending = 1e-5, .density = 0.15, .frame_time = 0.02};
    const auto at = [&](int v) { return Point(coarse.row(v).cast<float>()); };
    const auto base_of = [&](long t) {
        const auto midpoint = [&](int i) { return stencils.at(elements.edges()(t, i), at); };
        return std::array<Point, 3>{midpoint(0), midpoint(1), midpoint(2)};
    };
    for (int lane = 0; lane < lane_count; ++lane) {
        const TrianglePoints p = elements.gather(lane, at);
        const std::array<Point, 3> base = base_of(lane);
        for (size_t i = 0; i < 9; ++i) {
            const Point& point = i < 6 ? p[i] : base[i - 6];
            points[i].x[lane] = point.x();
            points[i].y[lane] = point.y();
            points[i].z[lane] = point.z();
        }
        units[lane] = elements.unit(lane);
        lay_out(elements.rest_triangle(lane), stiffness_inputs(stiffness, units[lane]), lane, rest);
    }
    FrameLanes frames;
    write_canonical_triangle_inputs(points.data(), units, rest, frames, inputs.data());
    for (int lane = 0; lane < lane_count; ++lane) {
        const TrianglePoints p = elements.gather(lane, at);
        const CanonicalFrame frame = elements.canonical_frame(lane, p);
        std::vector<float> expected(triangle_inputs);
        const float size = elements.write_canonical(lane, p, base_of(lane), frame, stiffness, expected);
        for (size_t i = 0; i < expected.size(); ++i)
            CHECK((&inputs[i / 3].x)[i % 3][lane] == doctest::Approx(expected[i]).epsilon(1e-3));
        CHECK(frames.scale[lane] == doctest::Approx(answer_scale(size)).epsilon(1e-3));
    }
}

TEST_CASE("What a canonical sample of a triangle asks for makes its midpoints") {
    const Cloth cloth;
    datasets::Sequence sequence;
    sequence.mesh = geometry::refine(cloth.mesh, cloth.subdivision);
    const Rows<float, 3> truth = waving(cloth.rest).cast<float>();
    sequence.positions.assign(truth.data(), truth.data() + truth.size());
    const MidpointStencils stencils = butterfly_stencils(cloth.subdivision, cloth.rest);
    const TriangleSamples samples(sequence, geometry::mesh_hierarchy(cloth.mesh, 1), 1, stencils, Features::Canonical);
    const TriangleElements elements(cloth.subdivision, cloth.rest, Features::Canonical);
    for (long t = 0; t < elements.count(); ++t) {
        const auto coarse = [&](int v) {
            return Point(truth.row(cloth.subdivision.fine_vertices[static_cast<size_t>(v)]));
        };
        const TrianglePoints p = elements.gather(t, coarse);
        const auto midpoint = [&](int i) { return stencils.at(elements.edges()(t, i), coarse); };
        const std::array<Point, 3> base = {midpoint(0), midpoint(1), midpoint(2)};
        std::vector<float> input(triangle_inputs), output(triangle_outputs);
        samples.cut(t, input, output);
        const CanonicalFrame frame = elements.canonical_frame(t, p);
        const float scale = answer_scale(elements.write_canonical(t, p, base, frame, {}, input));
        for (int i = 0; i < 3; ++i) {
            const float* said = output.data() + 3L * TriangleElements::opposite_corner(i);
            const Point place = base[static_cast<size_t>(i)] +
                                scale * frame.local.direction_to_world(Eigen::Map<const Eigen::Vector3f>(said));
            const Point expected = truth.row(elements.midpoints()(t, i));
            CHECK((place - expected).norm() < 1e-6f);
        }
        CHECK(output[9] >= 0.25f);  // its weight
    }
}
