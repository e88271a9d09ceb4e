// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/patch_contact.h"

#include "tests/collision/fixtures.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/flat_upsampling.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tulle::collision {

namespace {

constexpr double gap = 0.0004;       // [m]
constexpr double spacing = 0.02;     // [m] of the coarse sheets
constexpr double thickness = 0.002;  // [m] that the coarse sheets keep

// A coarse cloth made twice as fine: flat where it starts, anywhere at the end.
struct UpscaledSheet {
    geometry::TriangleMesh mesh;  // fine, at rest
    Positions start, end;
    SurfacePatches patches;

    UpscaledSheet(const geometry::TriangleMesh& coarse, const Positions& positions)
        : UpscaledSheet(coarse, positions, geometry::mesh_hierarchy(coarse, 1)) {}

    PatchContact contact() const { return {patches, VectorX::Ones(mesh.positions.rows()), gap}; }
    long crossings() const { return static_cast<long>(find_crossings(end, mesh.triangles).size()); }

private:
    UpscaledSheet(const geometry::TriangleMesh& coarse, const Positions& positions, const geometry::Hierarchy& levels)
        : mesh(geometry::refine(coarse, levels.subdivisions.front())),
          patches(mesh.positions, mesh.triangles, geometry::FlatUpsampling(levels).corners_around(mesh.triangles)) {
        geometry::FlatUpsampling(levels).apply(positions, start);
        end = start;
    }
};

// A crumpled cloth whose inferred vertices are all over the place.
UpscaledSheet wild_sheet(std::uint64_t seed, double disorder) {
    SpringSheet coarse = crumpling_sheet(16, 3, seed);
    ContactPass pass = coarse.make_pass(nullptr, {.enabled = true, .thickness = thickness, .friction = 0});
    for (int i = 0; i < 60; ++i) coarse.step(pass, 0.002);
    REQUIRE(coarse.crossings() == 0);
    UpscaledSheet sheet(coarse.mesh, coarse.positions);
    Random random(seed);
    for (long v = 0; v < sheet.end.rows(); ++v) sheet.end.row(v) += random_point(random, disorder).transpose();
    return sheet;
}

// Two sheets of which the upper is wanted `depth` below the lower, in the middle. They are not quite flat: whether an
// edge crosses a triangle in its own plane is anybody's guess.
UpscaledSheet dented_sheets(double depth) {
    geometry::TriangleMesh coarse =
        both(flat_sheet(8, 8, spacing, Vector3::Zero()), flat_sheet(8, 8, spacing, {0.003, -0.004, thickness}));
    Random random(1);
    for (double& value : coarse.positions.reshaped<Eigen::RowMajor>()) value += random.uniform(-1e-4, 1e-4);
    UpscaledSheet sheets(coarse, coarse.positions);
    for (long v = 0; v < sheets.end.rows(); ++v) {
        const Vector3 place = sheets.start.row(v);
        const double away = (place - Vector3(0.07, 0.07, place.z())).norm();
        if (place.z() > 0.5 * thickness) sheets.end(v, 2) -= (depth + thickness) * std::exp(-away * away / 0.0008);
    }
    return sheets;
}

}  // namespace

TEST_CASE("A crumpled cloth does not cross itself, however wild the shape that is wanted") {
    for (const std::uint64_t seed : {1, 2, 3})
        for (const double disorder : {0.001, 0.004, 0.012}) {
            CAPTURE(seed);
            CAPTURE(disorder);
            UpscaledSheet sheet = wild_sheet(seed, disorder);
            const bool is_tangled = sheet.crossings() > 0;
            PatchContact contact = sheet.contact();
            const PatchContactOutcome outcome = contact.resolve(sheet.start, sheet.end, nullptr);
            CHECK(outcome.unresolved == 0);
            CHECK((outcome.contacts > 0 || !is_tangled));
            CHECK(sheet.crossings() == 0);
        }
}

TEST_CASE("No crossing hides in a pair of patches that is left out") {
    for (const double disorder : {0.002, 0.006, 0.02}) {
        CAPTURE(disorder);
        UpscaledSheet sheet = wild_sheet(4, disorder);
        std::vector<int> all;
        for (int p = 0; p < sheet.patches.count(); ++p) all.push_back(p);
        const auto pairs = sheet.patches.find_pairs(sheet.start, sheet.end, gap, all);
        CHECK(pairs.size() < all.size() * all.size() / 4);
        const auto patches_with = [&](auto part) {
            std::vector<int> found;
            for (const int p : all)
                if (std::all_of(part.begin(), part.end(), [&](int v) {
                        const std::vector<int>& own = sheet.patches[p].vertices;
                        return std::find(own.begin(), own.end(), v) != own.end();
                    }))
                    found.push_back(p);
            return found;
        };
        const std::vector<Crossing> crossings = find_crossings(sheet.end, sheet.mesh.triangles);
        CHECK(crossings.size() > 10);
        for (const Crossing& crossing : crossings)
            for (const int p : patches_with(crossing.edge))
                for (const int q : patches_with(Eigen::RowVector3i(sheet.mesh.triangles.row(crossing.triangle)))) {
                    const std::pair<int, int> pair = std::minmax(p, q);
                    CHECK(std::binary_search(pairs.begin(), pairs.end(), pair));
                }
    }
}

TEST_CASE("A cloth that does not come near itself stays as it is wanted, to the bit") {
    UpscaledSheet sheets = dented_sheets(-0.75 * thickness);
    const Positions wanted = sheets.end;
    PatchContact contact = sheets.contact();
    CHECK(contact.resolve(sheets.start, sheets.end, nullptr).contacts == 0);
    CHECK(sheets.end == wanted);
}

TEST_CASE("Corrections follow what is wanted without jumps") {
    Positions last;
    for (double depth = -0.003; depth < 0.006; depth += 0.00005) {
        CAPTURE(depth);
        UpscaledSheet sheets = dented_sheets(depth);
        PatchContact contact = sheets.contact();
        CHECK(contact.resolve(sheets.start, sheets.end, nullptr).unresolved == 0);
        CHECK(sheets.crossings() == 0);
        if (last.rows() > 0) CHECK((sheets.end - last).rowwise().norm().maxCoeff() < 0.0005);
        last = sheets.end;
    }
}

TEST_CASE("Pinned vertices stay where they are wanted, and others give way") {
    UpscaledSheet sheets = dented_sheets(0.003);
    const Positions wanted = sheets.end;
    VectorX inverse_masses = VectorX::Ones(wanted.rows());
    for (long v = 0; v < wanted.rows(); ++v)
        if (sheets.start(v, 2) > 0.5 * thickness) inverse_masses(v) = 0;
    PatchContact contact(sheets.patches, inverse_masses, gap);
    CHECK(contact.resolve(sheets.start, sheets.end, nullptr).unresolved == 0);
    CHECK(sheets.crossings() == 0);
    for (long v = 0; v < wanted.rows(); ++v)
        if (inverse_masses(v) == 0) CHECK(sheets.end.row(v) == wanted.row(v));
}

TEST_CASE("What two pins force through each other is counted") {
    UpscaledSheet sheets = dented_sheets(0.003);
    PatchContact contact(sheets.patches, VectorX::Zero(sheets.end.rows()), gap);
    CHECK(contact.resolve(sheets.start, sheets.end, nullptr).unresolved > 0);
}

TEST_CASE("Layers that are pushed apart stay out of the floor") {
    UpscaledSheet sheets = dented_sheets(0.004);
    Collider floor = collider_of(make_plane({0, 0, -0.001}, {0, 0, 1}));
    floor.thickness = 0.0005;
    Colliders colliders;
    colliders.push_back(std::move(floor));
    const ColliderResponse response(colliders, /*time=*/0, /*dt=*/0);
    const FaceContact faces(sheets.mesh.positions, sheets.mesh.triangles, VectorX::Ones(sheets.end.rows()));
    const ColliderContact solids{response, faces};
    PatchContact contact = sheets.contact();
    CHECK(contact.resolve(sheets.start, sheets.end, &solids).unresolved == 0);
    CHECK(sheets.crossings() == 0);
    CHECK(find_deep_vertices(sheets.end, colliders, 0, 1e-9).empty());
}

TEST_CASE("A corrected cloth has the same bits on 1, 2, 3 and 8 threads") {
    const int threads_before = thread_count();
    Positions reference;
    for (const int threads : {1, 2, 3, 8}) {
        CAPTURE(threads);
        UpscaledSheet sheet = wild_sheet(5, 0.005);
        set_thread_count(threads);
        PatchContact contact = sheet.contact();
        CHECK(contact.resolve(sheet.start, sheet.end, nullptr).contacts > 10);
        if (threads == 1) reference = sheet.end;
        CHECK(sheet.end == reference);
        set_thread_count(threads_before);
    }
}

}  // namespace tulle::collision
