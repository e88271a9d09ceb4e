// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pattern_mirror.h"

#include "tests/support/error_of.h"
#include "tulle/geometry/triangle_mesh.h"
#include "tulle/methods/garment/sewing_pattern.h"

#include <doctest/doctest.h>

#include <set>

using namespace tulle;
using namespace tulle::methods;

namespace {

geometry::TriangleMesh shirt() { return rest_shape(sew(t_shirt_pattern(), 0.03)); }

}  // namespace

TEST_CASE("In a mirror the T-shirt as it was cut is itself, and nearly every edge is an edge") {
    const geometry::TriangleMesh cut = shirt();
    const PatternMirror mirror(cut.tex_coords, cut.triangles);
    const Positions seen = mirror.mirrored(cut.positions);
    CHECK((seen - cut.positions).rowwise().norm().maxCoeff() < 0.01);
    CHECK((seen - cut.positions).rowwise().norm().mean() < 2e-4);
    const Edges edges = geometry::mesh_edges(cut).edges;
    std::set<std::pair<int, int>> known;
    for (const auto& edge : edges.rowwise()) known.insert(std::minmax(edge(0), edge(1)));
    long missing = 0;
    for (const auto& [a, b] : known) {
        const int across_a = mirror.across()[static_cast<size_t>(a)],
                  across_b = mirror.across()[static_cast<size_t>(b)];
        missing += known.contains(std::minmax(across_a, across_b)) ? 0 : 1;
    }
    CHECK(missing <= 4);  // a diagonal on the axis of the mirror has no partner
}

TEST_CASE("A mirrored mirror image is the garment itself") {
    const geometry::TriangleMesh cut = shirt();
    const PatternMirror mirror(cut.tex_coords, cut.triangles);
    const Positions wild = Positions::Random(cut.vertex_count(), 3);
    CHECK(mirror.mirrored(mirror.mirrored(wild)) == wild);
    CHECK((mirror.mirrored(wild) - wild).norm() > 1);
}

TEST_CASE("A pattern with one sleeve has no mirror image") {
    geometry::TriangleMesh cut = shirt();
    for (long v = 0; v < cut.vertex_count(); ++v)
        if (cut.tex_coords(v, 0) > 0.6) cut.tex_coords(v, 0) += 0.3 * (cut.tex_coords(v, 0) - 0.6);
    CHECK(test::contains(test::error_of([&] { PatternMirror mirror(cut.tex_coords, cut.triangles); }),
                         "is not its own mirror image"));
}
