// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/core/random.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

void check_same_cache(const fs::path& a, const fs::path& b) {
    const CacheReader first(a), second(b);
    REQUIRE(first.frame_count() == second.frame_count());
    for (long f = 0; f < first.frame_count(); ++f) check_frame(first.frame(f), second.frame(f));
    const auto p = first.checkpoint(), q = second.checkpoint();
    REQUIRE((p && q));
    CHECK(p->frame == q->frame);
    CHECK(p->positions == q->positions);
    CHECK(p->velocities == q->velocities);
    CHECK(p->memory == q->memory);
}

bool is_right(const Checkpoint& checkpoint, const CacheHeader& header) {
    const CacheFrame frame = example_frame(header, checkpoint.frame);
    return checkpoint.time == frame.time && checkpoint.positions == frame.positions &&
           checkpoint.velocities == frame.velocities && checkpoint.memory == example_state(checkpoint.frame);
}

// What the child process does until it is killed: resume, and write frames as fast or slowly as chance wants.
// The first frame is announced through `pipe`.
[[noreturn]] void write_until_killed(const fs::path& path, const CacheHeader& header, Random random, int pipe) {
    try {
        auto [writer, checkpoint] = CacheWriter::resume(path, header);
        if (checkpoint && !is_right(*checkpoint, header)) ::_exit(3);
        for (long f = writer.frame_count();; ++f) {
            writer.append(example_frame(header, f), example_state(f));
            if (::write(pipe, "", 1) < 0) ::_exit(4);
            ::usleep(static_cast<useconds_t>(random.uniform(0, 200)));
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        ::_exit(2);
    }
}

// Most are killed some frames after their first; some before, while they are still starting or copying.
void kill_a_writer(const fs::path& path, const CacheHeader& header, Random& random) {
    std::array<int, 2> pipe{};
    REQUIRE(::pipe(pipe.data()) == 0);
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) write_until_killed(path, header, Random(random.bits()), pipe[1]);
    ::close(pipe[1]);
    char first = 0;
    if (random.uniform() < 0.75) CHECK(::read(pipe[0], &first, 1) == 1);
    ::usleep(static_cast<useconds_t>(random.uniform(0, 8'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status));
    ::close(pipe[0]);
}

// Frames in the part after a kill, every one of them compared; 0 if there is none yet.
long check_part(const fs::path& path, const CacheHeader& header) {
    if (!fs::exists(part_path(path))) return 0;
    const CacheReader reader(part_path(path));
    check_frames(reader, header);
    const auto checkpoint = reader.checkpoint();
    if (reader.frame_count() > 1) REQUIRE(checkpoint);
    if (checkpoint) {
        CHECK(checkpoint->frame >= reader.frame_count() - 2);
        CHECK(is_right(*checkpoint, header));
    }
    return reader.frame_count();
}

}  // namespace

TEST_CASE("A cache survives kill -9 at any moment, and resuming gives the same bits as never being killed") {
    Random random(20);
    for (const auto& [rows, columns] : {std::pair{5, 7}, std::pair{49, 73}}) {
        const TemporaryFolder folder;
        const CacheHeader header = example_header(rows, columns);
        const fs::path path = folder / "a.h5";
        long frames = 0;
        int kills = 0;
        for (; kills < 30; ++kills) {
            kill_a_writer(path, header, random);
            const long now = check_part(path, header);
            CHECK(now >= frames - 1);  // resuming drops a frame whose checkpoint was not whole
            frames = now;
        }
        CHECK(frames > 10);
        auto [writer, checkpoint] = CacheWriter::resume(path, header);
        REQUIRE(checkpoint);
        for (long f = checkpoint->frame + 1; f < frames + 20; ++f)
            writer.append(example_frame(header, f), example_state(f));
        writer.close();
        write_example(folder / "b.h5", header, frames + 20);
        check_same_cache(path, folder / "b.h5");
        // Nothing stays of the runs that were killed while they were starting.
        CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf", "b.h5", "b.xdmf", "b.xmf"});
    }
}

TEST_CASE("A finished cache can be resumed to make it longer") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    write_example(folder / "a.h5", header, 4);
    auto [writer, checkpoint] = CacheWriter::resume(folder / "a.h5", header);
    REQUIRE(checkpoint);
    CHECK(checkpoint->frame == 3);
    CHECK(writer.frame_count() == 4);
    for (long f = 4; f < 7; ++f) writer.append(example_frame(header, f), example_state(f));
    CHECK(CacheReader(folder / "a.h5").frame_count() == 4);
    writer.close();
    write_example(folder / "b.h5", header, 7);
    check_same_cache(folder / "a.h5", folder / "b.h5");
}

TEST_CASE("Resuming where nothing is, or nothing useful, begins anew") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    {
        auto [writer, checkpoint] = CacheWriter::resume(folder / "a.h5", header);
        CHECK_FALSE(checkpoint);
        CHECK(writer.frame_count() == 0);
    }
    auto [writer, checkpoint] = CacheWriter::resume(folder / "a.h5.part", header);
    CHECK_FALSE(checkpoint);
    writer.append(example_frame(header, 0));
    writer.close();
    CHECK(CacheReader(folder / "a.h5").frame_count() == 1);
}

TEST_CASE("A cache of another scene, method, seed, cloth or collider is not resumed and stays as it is") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    write_example(folder / "a.h5", header, 2);
    const std::vector<std::pair<std::string, std::function<void(CacheHeader&)>>> changes = {
        {"scene", [](CacheHeader& h) { h.scene += "wind = 3\n"; }},
        {"scene", [](CacheHeader& h) { h.frame_rate = 30; }},
        {"method", [](CacheHeader& h) { h.method = "newton"; }},
        {"seed", [](CacheHeader& h) { h.seed = 8; }},
        {"vertices", [](CacheHeader& h) { h = example_header(5, 8); }},
        {"cloth", [](CacheHeader& h) { h.mesh.positions(3, 2) += 1e-9; }},
        {"colliders", [](CacheHeader& h) { h.colliders.pop_back(); }},
        {"colliders", [](CacheHeader& h) { h.colliders[0].rest_positions(0, 0) = 0; }},
        {"colliders", [](CacheHeader& h) { h.colliders[1].deforms = true; }},
        {"velocities", [](CacheHeader& h) { h.has_velocities = false; }},
        {"weights", [](CacheHeader& h) { h.has_bounds = true; }},
    };
    for (const auto& [word, change] : changes) {
        CacheHeader other = header;
        change(other);
        CHECK(contains(error_of([&] { CacheWriter::resume(folder / "a.h5", other); }, folder / "a.h5"), word));
    }
    CHECK(folder.names() == std::vector<std::string>{"a.h5", "a.xdmf", "a.xmf"});
    CHECK(CacheReader(folder / "a.h5").frame_count() == 2);
}
