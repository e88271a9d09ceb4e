// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

TEST_CASE("A cache gives back its header, frames and checkpoint") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 9);
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf"});

    const CacheReader reader(folder / "a.h5");
    const CacheHeader& read = reader.header();
    CHECK(read.mesh.positions == header.mesh.positions);
    CHECK(read.mesh.triangles == header.mesh.triangles);
    CHECK(read.mesh.tex_coords == header.mesh.tex_coords);
    CHECK(read.scene == header.scene);
    CHECK(read.scene_name == "example");
    CHECK(read.method == "admm:5");
    CHECK(read.program_version == "0.1.0");
    CHECK(read.seed == 7);
    CHECK(read.frame_rate == 60);
    CHECK(read.grid == geometry::GridSize{5, 7});
    REQUIRE(read.colliders.size() == 2);
    CHECK(read.colliders[0].name == "wedge");
    CHECK(read.colliders[1].rest_positions == header.colliders[1].rest_positions);
    CHECK(read.colliders[1].triangles == header.colliders[1].triangles);
    REQUIRE(reader.frame_count() == 9);
    check_frames(reader, header);

    const auto checkpoint = reader.checkpoint();
    REQUIRE(checkpoint);
    CHECK(checkpoint->frame == 8);
    CHECK(checkpoint->time == example_frame(header, 8).time);
    CHECK(checkpoint->positions == example_frame(header, 8).positions);
    CHECK(checkpoint->velocities == example_frame(header, 8).velocities);
    CHECK(checkpoint->memory == example_state(8));
}

TEST_CASE("A cache gives back colliders that deform, and places both kinds in the world") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    write_example(folder / "a.h5", header, 6);
    const CacheReader reader(folder / "a.h5");
    REQUIRE(reader.header().colliders.size() == 3);
    CHECK_FALSE(reader.header().colliders[1].deforms);
    CHECK(reader.header().colliders[2].deforms);
    check_frames(reader, header);
    const CacheFrame written = example_frame(header, 4);
    CHECK(reader.collider_positions(2, 4) == written.collider_positions[2].cast<float>().cast<double>());
    const Positions ball =
        (written.collider_transforms[1] * header.colliders[1].rest_positions.transpose()).transpose();
    CHECK((reader.collider_positions(1, 4) - ball).norm() < 1e-12);
}

TEST_CASE("A cache of a mesh without grid, texture, velocities or colliders gives back its frames") {
    const TemporaryFolder folder;
    CacheHeader header = example_header();
    header.mesh.tex_coords.resize(0, 2);
    header.grid = {0, 0};
    header.colliders.clear();
    header.has_velocities = false;
    header.scene = std::string(200'000, 'x');
    CacheWriter writer(folder / "a.h5", header);
    for (long f = 0; f < 600; ++f) {  // more than one chunk of times
        CacheFrame frame = example_frame(header, f);
        frame.velocities.resize(0, 3);
        writer.append(frame);
    }
    writer.close();
    const CacheReader reader(folder / "a.h5");
    CHECK(reader.header().mesh.tex_coords.rows() == 0);
    CHECK(reader.header().scene == header.scene);
    CHECK_FALSE(reader.header().has_velocities);
    REQUIRE(reader.frame_count() == 600);
    CHECK(reader.frame(599).positions == example_frame(header, 599).positions.cast<float>().cast<double>());
    CHECK(reader.frame(599).velocities.rows() == 0);
    CHECK_FALSE(reader.checkpoint());
}

TEST_CASE("A cache that is being written can be read up to its last frame") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    for (long f = 0; f < 5; ++f) {
        const CacheReader reader(folder / "a.h5.part");
        CHECK(reader.is_part());
        CHECK(reader.frame_count() == f);
        check_frames(reader, header);
        writer.append(example_frame(header, f));
    }
    CHECK_FALSE(fs::exists(folder / "a.h5"));
}

TEST_CASE("A writer that is dropped without close leaves a readable part") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    {
        CacheWriter writer(folder / "a.h5", header);
        for (long f = 0; f < 3; ++f) writer.append(example_frame(header, f));
    }
    CHECK(folder.names() == std::vector<std::string>{"a.h5.part"});
    const CacheReader reader(folder / "a.h5.part");
    CHECK(reader.frame_count() == 3);
    check_frames(reader, header);
}

TEST_CASE("A finished cache is not overwritten unless that is allowed, and then only at close") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 3);
    CHECK(contains(error_of([&] { CacheWriter(folder / "a.h5", header); }, folder / "a.h5"), "exists already"));
    CHECK(CacheReader(folder / "a.h5").frame_count() == 3);
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf"});

    CacheWriter writer(folder / "a.h5", header, {.overwrite = true});
    writer.append(example_frame(header, 0));
    CHECK(CacheReader(folder / "a.h5").frame_count() == 3);
    writer.close();
    CHECK(CacheReader(folder / "a.h5").frame_count() == 1);
}

TEST_CASE("What an interrupted run left is not overwritten unless that is allowed") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    { CacheWriter(folder / "a.h5", header).append(example_frame(header, 0)); }
    CHECK(contains(error_of([&] { CacheWriter(folder / "a.h5", header); }, folder / "a.h5"), "interrupted run"));
    CacheWriter(folder / "a.h5", header, {.overwrite = true}).close();
    CHECK(CacheReader(folder / "a.h5").frame_count() == 0);
}

TEST_CASE("Two writers of the same cache do not meet") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    const auto second = [&] { CacheWriter(folder / "a.h5", header, {.overwrite = true}); };
    CHECK(contains(error_of(second, folder / "a.h5"), "another run"));
    CHECK(contains(error_of([&] { CacheWriter::resume(folder / "a.h5", header); }, folder / "a.h5"), "another run"));
    writer.append(example_frame(header, 0));
    writer.close();
    CHECK(CacheReader(folder / "a.h5").frame_count() == 1);
}

TEST_CASE("Targets that cannot be written are refused and nothing appears") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    fs::create_directory(folder / "folder.h5");
    for (const fs::path& path :
         {folder / "missing/a.h5", folder / "folder.h5", fs::path("/dev/null"), fs::path("/proc/a.h5")})
        error_of([&] { CacheWriter(path, header); }, path);
    CHECK(folder.names() == std::vector<std::string>{"folder.h5"});
}

TEST_CASE("A frame that is not finite is refused and the frames before it stay") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    {
        CacheWriter writer(folder / "a.h5", header);
        writer.append(example_frame(header, 0));
        CacheFrame frame = example_frame(header, 1);
        frame.positions(3, 1) = std::nan("");
        const std::string message = error_of([&] { writer.append(frame); }, folder / "a.h5");
        CHECK(contains(message, "vertex 3"));
        frame = example_frame(header, 1);
        frame.collider_positions[2](1, 0) = std::nan("");
        CHECK(contains(error_of([&] { writer.append(frame); }, folder / "a.h5"), "collider 'blob' of vertex 1"));
        frame.positions(3, 1) = 1e300;  // not finite in the file's precision
        error_of([&] { writer.append(frame); }, folder / "a.h5");
    }
    CHECK(CacheReader(folder / "a.h5.part").frame_count() == 1);
}

TEST_CASE("A full disk ends in one sentence, and the frames before it stay readable") {
    const TemporaryFolder folder;
    fs::create_directory(folder / "disk");
    const std::string disk = (folder / "disk").string();
    if (run("mount -t tmpfs -o size=256k tmpfs '" + disk + "'").exit_code != 0) {
        MESSAGE("needs root to mount a small disk");
        return;
    }
    const CacheHeader header = example_header(20, 20);
    long frames = 0;
    const auto fill = [&] {
        CacheWriter writer(folder / "disk/a.h5", header);
        for (;; ++frames) writer.append(example_frame(header, frames));
    };
    CHECK(contains(error_of(fill, folder / "disk/a.h5"), "No space left"));
    CHECK_FALSE(fs::exists(folder / "disk/a.h5"));
    CHECK(frames > 3);
    {
        const CacheReader reader(folder / "disk/a.h5.part");
        CHECK(reader.frame_count() >= frames);
        check_frames(reader, header);
    }
    CHECK(run("umount '" + disk + "'").exit_code == 0);
}
