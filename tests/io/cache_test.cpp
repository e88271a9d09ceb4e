// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/core/atomic_file.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/describe.h"
#include "tulle/io/file_claim.h"

#include <barrier>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

TEST_CASE("A cache gives back its header, frames and checkpoint") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 9);
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf"});

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

TEST_CASE("A cache gives back what a method says of its errors, and refuses what cannot be") {
    const TemporaryFolder folder;
    CacheHeader header = example_header();
    header.has_bounds = true;
    const auto write = [&](const std::string& name, float worst) {
        CacheWriter writer(folder / name, header);
        writer.append(example_frame(header, 0));  // the start, of which nothing is said
        CacheFrame frame = example_frame(header, 1);
        frame.bounds = Eigen::VectorXf::LinSpaced(header.mesh.vertex_count(), 0, 0.003f);
        frame.bounds(4) = worst;
        writer.append(frame);
        writer.close();
    };
    write("a.h5", 0.02f);
    const CacheReader reader(folder / "a.h5");
    CHECK(reader.header().has_bounds);
    CHECK(reader.frame(0).bounds.isZero());
    CHECK(reader.frame(1).bounds(4) == 0.02f);
    CHECK(reader.frame(1).bounds.tail(1)(0) == 0.003f);
    const FileSummary summary = describe(folder / "a.h5");
    CHECK(summary.largest_bound == doctest::Approx(0.02));
    CHECK(contains(to_text(summary), "20 mm where it doubts most"));
    write("b.h5", -1);
    write("c.h5", std::numeric_limits<float>::quiet_NaN());
    for (const char* broken : {"b.h5", "c.h5"})
        CHECK(contains(error_of([&] { (void)CacheReader(folder / broken).frame(1); }, folder / broken),
                       "frame 1: an error bound is"));
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
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf"});

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
    write_file(folder / "file", "mine", {"a file", ""});
    for (const fs::path& path : {folder / "file/a.h5", folder / "folder.h5", folder / "a.xdmf", folder / "a",
                                 fs::path("/dev/null"), fs::path("/proc/a.h5")})
        error_of([&] { CacheWriter(path, header); }, path);
    CHECK(folder.names() == std::vector<std::string>{"file", "folder.h5"});
}

TEST_CASE("A cache takes the place of caches only, and what is beside it is replaced only if it is ours") {
    const CacheHeader header = example_header();
    const std::vector<std::pair<std::string, std::string>> kept = {
        {"a.h5", "name = 'a scene'"}, {"a.h5.part", "half a download"}, {"a.xdmf", "<?xml version='1.0'?>"}};
    for (const auto& [name, text] : kept) {
        const TemporaryFolder folder;
        write_file(folder / name, text, {"a file", ""});
        const auto message = error_of([&] { CacheWriter(folder / "a.h5", header, {.overwrite = true}); }, name);
        CHECK(contains(message, "is kept"));
        CHECK(read_file(folder / name, 100) == text);
        CHECK(folder.names() == std::vector<std::string>{name});
    }
    const TemporaryFolder folder;
    write_example(folder / "b.h5", header, 2);
    CHECK_NOTHROW(CacheWriter(folder / "b.h5", header, {.overwrite = true}));
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

TEST_CASE("Of many writers that start into one cache at the same instant exactly one goes on, and it owns the file") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    constexpr int writers = 8;
    for (int round = 0; round < 20; ++round) {
        const fs::path path = folder / fmt::format("{}.h5", round);
        if (round % 2 == 1) CacheWriter(path, header).append(example_frame(header, 0));  // what a killed run leaves
        std::vector<std::optional<CacheWriter>> started(writers);
        std::barrier start(writers);
        std::vector<std::thread> threads;
        for (auto& writer : started)
            threads.emplace_back([&] {
                start.arrive_and_wait();
                try {
                    writer.emplace(path, header, CacheWriterSettings{.overwrite = true});
                } catch (const FileIsTaken&) {  // refused, as it should be
                }
            });
        for (std::thread& thread : threads) thread.join();
        int winners = 0;
        for (auto& writer : started) {
            if (!writer) continue;
            ++winners;
            for (int f = 0; f < 3; ++f) writer->append(example_frame(header, f));
            writer->close();
        }
        CHECK(winners == 1);
        CHECK(CacheReader(path).frame_count() == 3);
    }
    for (const std::string& name : folder.names()) CHECK_FALSE(contains(name, ".tmp"));
}

TEST_CASE("A cache that was replaced while it was written does not claim success") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    writer.append(example_frame(header, 0));
    fs::remove(folder / "a.h5.part");
    error_of([&] { writer.close(); }, "a.h5.part");
    CHECK_FALSE(fs::exists(folder / "a.h5"));
}

TEST_CASE("A cache says how many frames were planned and why there are fewer") {
    const TemporaryFolder folder;
    CacheHeader header = example_header();
    header.planned_frames = 10;
    CacheWriter writer(folder / "a.h5", header);
    writer.append(example_frame(header, 0));
    CHECK(CacheReader(folder / "a.h5.part").ending().empty());
    const std::string ending = "diverged: " + std::string(1000, 'x');
    writer.close(ending);
    const CacheReader reader(folder / "a.h5");
    CHECK(reader.header().planned_frames == 10);
    CHECK(reader.ending() == ending);
    write_example(folder / "b.h5", example_header(), 2);
    CHECK(CacheReader(folder / "b.h5").ending().empty());
    CHECK(CacheReader(folder / "b.h5").header().planned_frames == 0);
}
