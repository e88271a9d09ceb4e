// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/upscaling/hierarchy/triangle_upscaler.h"

#include "tests/methods/upscaling/support.h"
#include "tests/support/error_of.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/miniature.h"
#include "tulle/geometry/upsampling.h"

#include <doctest/doctest.h>

using namespace tulle;
using namespace tulle::methods;
using namespace tulle::methods::test;
using geometry::Subdivision;

namespace {

struct Case {
    geometry::GridSize size;
    Subdivision subdivision;
    Positions fine_rest, coarse_rest;
    Positions coarse;  // waving

    explicit Case(const geometry::GridSize& coarse_size = {5, 7})
        : size(coarse_size),
          subdivision(geometry::subdivide_grid(coarse_size)),
          fine_rest(flat({2 * coarse_size.rows - 1, 2 * coarse_size.columns - 1}, 0.05)),
          coarse_rest(geometry::sample(subdivision.fine_vertices, fine_rest)),
          coarse(waving(coarse_rest)) {}

    TriangleUpscaler upscaler(const neural::Network& network, Features features = Features::Canonical) const {
        return {subdivision, bicubic_stencils(size), fine_rest, network, {.features = features}};
    }
    static neural::Network silent() { return silent_network(triangle_symmetry()); }
    static neural::Network random(std::uint64_t seed = 1) {
        return neural::test::symmetric_network(triangle_symmetry(), {32, 32}, seed);
    }
};

// A triangle from the corner opposite its longest edge on.
struct Corners {
    std::array<int, 3> vertices, across, edges;
};

Corners corners_of(const Case& at, long t) {
    const Subdivision& level = at.subdivision;
    int first = 0;
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
        const double opposite =
            (at.coarse_rest.row(level.triangles(t, (i + 1) % 3)) - at.coarse_rest.row(level.triangles(t, (i + 2) % 3)))
                .norm();
        if (opposite > longest) {
            longest = opposite;
            first = i;
        }
    }
    Corners corners;
    for (int i = 0; i < 3; ++i) {
        const int from = (first + i) % 3;
        const auto k = static_cast<size_t>(i);
        corners.vertices[k] = level.triangles(t, from);
        corners.across[k] = level.across(t, from);
        corners.edges[k] = level.edges_of_triangle(t, from);
    }
    return corners;
}

// How far from bicubic interpolation a triangle sees its midpoints, written as the method is described. What it is
// shown is tested beside its plain twin in canonical_triangle_test.cpp.
std::array<Vector3, 3> ask_triangle(const Case& at, const TriangleElements& elements, const Positions& bicubic, long t,
                                    const neural::Network& network) {
    const TrianglePoints p = elements.gather(t, [&](int v) { return Point(at.coarse.row(v).cast<float>()); });
    const CanonicalFrame frame = elements.canonical_frame(t, p);
    std::vector<float> input(triangle_inputs), output(triangle_outputs);
    std::array<Point, 3> base;
    for (size_t i = 0; i < 3; ++i)
        base[i] = bicubic.row(elements.midpoints()(t, static_cast<int>(i))).transpose().cast<float>();
    const float size = elements.write_canonical(t, p, base, frame, {}, input);
    neural::evaluate_reference(network, input, output);
    const float scale = answer_scale(size) * std::exp(held_log_scale(output[9]));
    std::array<Vector3, 3> answers;
    for (size_t i = 0; i < 3; ++i) {
        const auto opposite = (i + 2) % 3;  // an answer has the number of the corner opposite
        const Eigen::Vector3f said = Eigen::Map<Eigen::Vector3f>(output.data() + 3 * opposite);
        answers[i] = (scale * frame.local.direction_to_world(said)).cast<double>();
    }
    return answers;
}

// The plain twin: bicubic interpolation, and what triangles from the last to the first say, added up at midpoints.
Positions upscale_plainly(const Case& at, const neural::Network& network) {
    const TriangleElements elements(at.subdivision, at.fine_rest, Features::Canonical);
    Positions bicubic;
    geometry::Upsampling(geometry::make_miniature({2 * at.size.rows - 1, 2 * at.size.columns - 1}, 2),
                         geometry::Interpolation::Bicubic)
        .apply(at.coarse, bicubic);
    Positions sums = Positions::Zero(at.subdivision.fine_count(), 3);
    VectorX counts = VectorX::Zero(sums.rows());
    for (long t = at.subdivision.triangles.rows() - 1; t >= 0; --t) {
        const std::array<Vector3, 3> answers = ask_triangle(at, elements, bicubic, t, network);
        for (int i = 0; i < 3; ++i) {
            const int fine = elements.midpoints()(t, i);
            sums.row(fine) += answers[static_cast<size_t>(i)];
            counts(fine) += 1;
        }
    }
    for (int v = 0; v < at.subdivision.coarse_count(); ++v) {
        counts(at.subdivision.fine_vertices[static_cast<size_t>(v)]) = 1;
    }
    return bicubic + Positions(counts.cwiseInverse().asDiagonal() * sums);
}

}  // namespace

TEST_CASE("Triangles meet at their midpoints as their plain twin says, in the opposite order") {
    for (const std::uint64_t seed : {1UL, 2UL}) {
        const Case at;
        const neural::Network network = Case::random(seed);
        CHECK(largest_distance(upscaled(at.upscaler(network), at.coarse), upscale_plainly(at, network)) < 1e-5);
    }
}

TEST_CASE("A hierarchy's network that says zero reproduces an affine cloth and keeps every coarse vertex to the bit") {
    const Case at;
    Matrix3 stretch;
    stretch << 1.2, 0.1, -0.3, 0, 0.9, 0.4, 0.2, 0, 1.1;
    const Positions coarse = at.coarse_rest * stretch.transpose(), fine = at.fine_rest * stretch.transpose();
    const TriangleUpscaler upscaler = at.upscaler(Case::silent());
    CHECK(largest_distance(upscaled(upscaler, coarse), fine) < 1e-6);
    CHECK(geometry::sample(at.subdivision.fine_vertices, upscaled(upscaler, at.coarse)) == at.coarse);
}

TEST_CASE("On an irregular mesh, too, a network that says zero reproduces an affine cloth") {
    geometry::TriangleMesh mesh = geometry::make_grid_cloth({4, 5}, {}).mesh;
    Random random(7);
    for (long v = 0; v < mesh.vertex_count(); ++v)  // flat, but no triangle like another
        mesh.positions.row(v) += Eigen::RowVector3d(random.uniform(-0.05, 0.05), 0, random.uniform(-0.05, 0.05));
    Matrix3 stretch;
    stretch << 1.2, 0.1, -0.3, 0, 0.9, 0.4, 0.2, 0, 1.1;
    const Subdivision subdivision = geometry::subdivide(mesh);
    const Positions fine_rest = geometry::refine(mesh, subdivision).positions;
    const TriangleUpscaler upscaler(subdivision, butterfly_stencils(subdivision, fine_rest), fine_rest, Case::silent(),
                                    {.features = Features::Canonical});
    const Positions fine = upscaled(upscaler, mesh.positions * stretch.transpose());
    CHECK(largest_distance(fine, fine_rest * stretch.transpose()) < 1e-6);
    const Positions bent = upscaled(upscaler, waving(mesh.positions));
    CHECK(
        largest_distance(bent, geometry::refine({waving(mesh.positions), mesh.triangles, {}}, subdivision).positions) >
        1e-3);  // it is the butterfly and not the middle
}

TEST_CASE("The paper's hierarchy that says zero leaves midpoints at rest, and sees displacements from rest") {
    const Case at;
    const TriangleUpscaler silent = at.upscaler(zero_network({9, 32, 32, 9}), Features::Paper);
    CHECK(largest_distance(upscaled(silent, at.coarse_rest), at.fine_rest) < 1e-6);
    const TriangleUpscaler upscaler = at.upscaler(random_network({9, 32, 32, 9}), Features::Paper);
    const neural::Network network = random_network({9, 32, 32, 9});
    std::vector<float> input(9, 0.0f), output(9);
    neural::evaluate_reference(network, input, output);
    const Positions fine = upscaled(upscaler, at.coarse_rest);  // nothing is displaced
    const Corners corners = corners_of(at, 0);
    int checked = 0;
    for (size_t i = 0; i < 3; ++i) {
        if (corners.across[i] >= 0) continue;  // a border midpoint has one triangle only
        const int midpoint = at.subdivision.fine_midpoints[static_cast<size_t>(corners.edges[i])];
        const Vector3 said = Eigen::Map<Eigen::Vector3f>(output.data() + 3 * i).cast<double>();
        CHECK((Vector3(fine.row(midpoint) - at.fine_rest.row(midpoint)) - said).norm() < 1e-5);
        ++checked;
    }
    CHECK(checked > 0);
}

TEST_CASE("A hierarchy with canonical features turns and moves with its input, with the paper's it does not") {
    const Case at;
    const TriangleUpscaler canonical = at.upscaler(Case::random());
    const TriangleUpscaler paper = at.upscaler(random_network({9, 32, 32, 9}), Features::Paper);
    for (const Vector3& translation : {Vector3(0, 0, 0), Vector3(0.3, -0.2, 0.5), Vector3(10, -10, 10)}) {
        CAPTURE(translation.transpose());
        const Eigen::Isometry3d motion = some_motion(translation);
        const auto difference = [&](const Upscaler& upscaler) {
            return largest_distance(upscaled(upscaler, moved(motion, at.coarse)),
                                    moved(motion, upscaled(upscaler, at.coarse)));
        };
        CHECK(difference(canonical) < 1e-5);
        CHECK(difference(paper) > 1e-2);
    }
}

TEST_CASE("A hierarchy has the same bits on 1, 2, 3 and 8 threads") {
    const Case at({25, 37});
    const int before = thread_count();
    const TriangleUpscaler upscaler = at.upscaler(Case::random());
    set_thread_count(1);
    const Positions alone = upscaled(upscaler, at.coarse);
    for (const int threads : {2, 3, 8}) {
        set_thread_count(threads);
        CHECK(upscaled(upscaler, at.coarse) == alone);
    }
    set_thread_count(before);
}

TEST_CASE("Collapsed triangles stay where interpolation has them and are counted") {
    Case at;
    at.coarse.row(at.size.index(2, 4)) = at.coarse.row(at.size.index(2, 3));  // an edge without length
    const auto report_of = [&](const neural::Network& network, Positions& fine) {
        return at.upscaler(network).upscale({&at.coarse, 1}, fine).collapsed_pieces;
    };
    Positions asked, silent;
    CHECK(report_of(Case::random(), asked) == 2);
    CHECK(report_of(Case::silent(), silent) == 2);
    CHECK(asked.allFinite());
    const int between = (2 * 2) * 13 + 7;  // the midpoint of that edge, whose two triangles both have collapsed
    CHECK(asked.row(between) == silent.row(between));
    CHECK(asked.row(between + 13) != silent.row(between + 13));
}

TEST_CASE("A network of another size than the triangles want is refused") {
    const Case at;
    const std::string said = tulle::test::error_of([&] { (void)at.upscaler(random_network({9, 32, 9})); });
    CHECK(tulle::test::contains(said, "9 inputs and 9 outputs does not fit canonical features of triangles"));
}
