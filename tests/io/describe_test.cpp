// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/describe.h"
#include "tests/support/near.h"

#include "tests/io/support.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/obj.h"

#include <nlohmann/json.hpp>

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;

TEST_CASE("A mesh is described by its size, its box and whether it can be a cloth") {
    const TemporaryFolder folder;
    write_obj(folder / "a.obj", example_header(5, 7).mesh);
    const FileSummary summary = describe(folder / "a.obj");
    CHECK(summary.kind == FileKind::Mesh);
    CHECK(summary.vertices == 35);
    CHECK(summary.triangles == 48);
    CHECK(summary.has_tex_coords);
    CHECK(summary.lowest.isApprox(Vector3(0.1, 0.2, 0.7)));
    CHECK(summary.highest.isApprox(Vector3(1.6, 0.2, 1.7)));
    CHECK(summary.is_sound());
    CHECK(contains(to_text(summary), "35 vertices, 48 triangles"));

    std::ofstream(folder / "b.obj") << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 5 5 5\nf 1 2 3\n";
    const FileSummary isolated = describe(folder / "b.obj");
    REQUIRE(isolated.problems.size() == 1);
    CHECK(contains(isolated.problems[0], "vertex 3"));
    CHECK(contains(to_text(isolated), "problem"));
    CHECK(nlohmann::json::parse(to_json(isolated))["sound"] == false);
}

TEST_CASE("A finished cache is described with its frames, method and box over time") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 31);
    const FileSummary summary = describe(folder / "a.h5");
    CHECK(summary.kind == FileKind::Cache);
    CHECK(summary.is_sound());
    CHECK(summary.is_complete);
    CHECK(summary.frames == 31);
    CHECK(summary.duration == tulle::test::near(0.5));
    CHECK(summary.cost.median == 1.5);
    CHECK(summary.highest(2) == tulle::test::near(1.7));
    CHECK(summary.lowest(2) == tulle::test::near(0.7 - 0.3 * 0.25));
    const auto json = nlohmann::json::parse(to_json(summary));
    CHECK(json["kind"] == "cache");
    CHECK(json["frames"] == 31);
    CHECK(json["method"] == "admm:5");
    CHECK(json["grid"] == nlohmann::json{5, 7});
    CHECK(json["colliders"][0]["name"] == "wedge");
    CHECK(json["complete"] == true);
    for (const char* word : {"admm:5", "example", "31 at 60 per second", "wedge", "complete", "sound       yes"})
        CHECK(contains(to_text(summary), word));
}

TEST_CASE("A collider that deforms is described as such") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", deforming_header(), 3);
    const FileSummary summary = describe(folder / "a.h5");
    CHECK(contains(to_text(summary), "collider    ball: 4 vertices, 4 triangles\n"));
    CHECK(contains(to_text(summary), "collider    blob: 4 vertices, 4 triangles, deforming\n"));
    const auto json = nlohmann::json::parse(to_json(summary));
    CHECK(json["colliders"][1]["deforms"] == false);
    CHECK(json["colliders"][2]["deforms"] == true);
}

TEST_CASE("An interrupted cache says so, and how much of it can be resumed") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    CHECK_FALSE(describe(folder / "a.h5.part").is_sound());  // no frame yet
    for (long f = 0; f < 4; ++f) writer.append(example_frame(header, f));
    const FileSummary summary = describe(folder / "a.h5.part");
    CHECK(summary.is_sound());
    CHECK_FALSE(summary.is_complete);
    CHECK(summary.frames == 4);
    CHECK(summary.resumable_frames == 4);
    CHECK(contains(to_text(summary), "interrupted"));
}

TEST_CASE("A run that was stopped is not called complete, and one that diverged not sound") {
    const TemporaryFolder folder;
    CacheHeader header = example_header();
    header.planned_frames = 250;
    for (const std::string ending : {"", "stopped", "diverged in frame 2: vertex 3 is 1e+07 m away"}) {
        CAPTURE(ending);
        CacheWriter writer(folder / "a.h5", header, {.overwrite = true});
        for (int f = 0; f < 2; ++f) writer.append(example_frame(header, f));
        writer.close(ending);
        const FileSummary summary = describe(folder / "a.h5");
        CHECK_FALSE(summary.is_complete);
        CHECK(summary.is_sound() == !contains(ending, "diverged"));
        CHECK(contains(to_text(summary), "not complete, 2 of 250 frames: " + (ending.empty() ? "the run" : ending)));
        const auto json = nlohmann::json::parse(to_json(summary));
        CHECK(json["complete"] == false);
        CHECK(json["planned_frames"] == 250);
        CHECK(json["ending"] == ending);
    }
}

TEST_CASE("A cache whose edges are stretched beyond all sense is not sound, whatever it says of itself") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    for (int f = 0; f < 3; ++f) {
        CacheFrame frame = example_frame(header, f);
        frame.positions = header.mesh.positions * (f == 1 ? 3 : f == 2 ? 1e15 : 1);
        writer.append(frame);
    }
    writer.close();
    const FileSummary summary = describe(folder / "a.h5");
    REQUIRE(summary.problems.size() == 1);
    CHECK(contains(summary.problems[0], "it has diverged: in frame 2"));
    CHECK(summary.largest_stretch == doctest::Approx(1e15).epsilon(1e-6));
    CHECK(summary.stretched_frame == 2);
}
