// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/generate.h"

#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"
#include "tulle/datasets/sequence.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/file_claim.h"

#include <doctest/doctest.h>

#include <fstream>

using namespace tulle;
using namespace tulle::workflows;

namespace {

const std::string tiny = R"(
name = "tiny"
[cloth]
rows = 5
columns = 7
mass = 0.002
[[pins]]
column = "first"
[wind]
velocity = [3, 1, 0]
)";

scene::Sweep small_sweep(int sequences = 3) {
    return {.sequences = sequences,
            .frames = 6,
            .seed = 2,
            .variations = {{.keys = {"cloth.mass"}, .min = {0.001}, .max = {0.004}}}};
}

struct Work {
    test::TemporaryFolder folder;
    GenerateSettings settings;

    Work() {
        std::ofstream(folder / "tiny.toml") << tiny;
        settings = {.scene = folder / "tiny.toml", .folder = folder / "data"};
    }
    std::filesystem::path sequence(int index) const { return settings.folder / fmt::format("{:04}.h5", index); }
    std::vector<float> positions(int index) const { return datasets::read_sequence(sequence(index)).positions; }
};

}  // namespace

TEST_CASE("Every sequence of a sweep is simulated, each with its own settings, the same every time") {
    const Work one, two;
    const GenerateReport report = generate(small_sweep(), one.settings);
    CHECK(report.sequences == 3);
    CHECK(report.made == 3);
    CHECK(report.frames == 18);
    CHECK_FALSE(report.stopped);
    generate(small_sweep(), two.settings);
    for (int i = 0; i < 3; ++i) {
        CHECK(one.positions(i) == two.positions(i));
        CHECK(one.positions(i) != one.positions((i + 1) % 3));
        CHECK_FALSE(std::filesystem::exists(one.settings.folder / fmt::format("{:04}.lock", i)));
        const scene::Scene scene =
            scene::parse_scene(io::CacheReader(one.sequence(i)).header().scene, "cache", one.folder.path());
        CHECK(scene.cloth.particle_masses.front() >= 0.001);  // a sequence knows what it was made with
        CHECK(scene.cloth.particle_masses.front() != 0.002);
    }
}

TEST_CASE("An interrupted generation goes on where it stopped and ends with the same frames") {
    const Work whole;
    generate(small_sweep(), whole.settings);
    for (const long stop : {1L, 5L, 6L, 8L, 17L}) {
        CAPTURE(stop);
        Work work;
        work.settings.on_frame = [&](long done, long) { return done < stop; };
        const GenerateReport first = generate(small_sweep(), work.settings);
        CHECK(first.stopped);
        if (stop % 6 != 0) {  // a sequence that is not whole does not pass for one
            CHECK_FALSE(std::filesystem::exists(work.sequence(static_cast<int>(stop / 6))));
        }
        work.settings.on_frame = {};
        const GenerateReport second = generate(small_sweep(), work.settings);
        CHECK(second.sequences == 3);
        CHECK(second.frames == 18);
        CHECK_FALSE(second.stopped);
        for (int i = 0; i < 3; ++i) CHECK(work.positions(i) == whole.positions(i));
    }
}

TEST_CASE("Finished sequences are kept, and a longer sweep adds to them") {
    const Work work;
    generate(small_sweep(2), work.settings);
    const auto time = std::filesystem::last_write_time(work.sequence(0));
    const GenerateReport report = generate(small_sweep(3), work.settings);
    CHECK(report.made == 1);
    CHECK(report.sequences == 3);
    CHECK(std::filesystem::last_write_time(work.sequence(0)) == time);
}

TEST_CASE("A folder with sequences of another sweep is refused and left alone") {
    const Work work;
    generate(small_sweep(2), work.settings);
    const std::vector<float> before = work.positions(0);
    scene::Sweep other = small_sweep(2);
    other.seed = 3;
    const std::string said = test::error_of([&] { generate(other, work.settings); });
    CHECK(test::contains(said, "was made by another scene or sweep"));
    CHECK(work.positions(0) == before);
}

TEST_CASE("A sequence that diverges is kept as far as it went and counted") {
    const Work work;
    scene::Sweep sweep = small_sweep(1);
    sweep.method = "mass_spring";
    sweep.frames = 200;
    GenerateSettings settings = work.settings;
    settings.overrides = {"solver.mass_spring.steps_per_frame=2"};
    const GenerateReport report = generate(sweep, settings);
    CHECK(report.diverged == 1);
    CHECK(report.sequences == 1);
    CHECK(report.frames < 200);
}

TEST_CASE("A sequence that cannot be written is an error, one that another process writes is left to it") {
    const Work work;
    std::filesystem::create_directories(work.settings.folder);
    {
        const io::FileClaim other(work.settings.folder / "0001.lock", "0001.h5");
        const GenerateReport report = generate(small_sweep(), work.settings);
        CHECK(report.sequences == 2);
        CHECK_FALSE(std::filesystem::exists(work.sequence(1)));
    }
    std::filesystem::remove(work.settings.folder / "0001.lock");
    std::filesystem::create_directory(work.settings.folder / "0001.lock");  // nobody can write there
    const std::string said = test::error_of([&] { generate(small_sweep(), work.settings); });
    CHECK(test::contains(said, "cannot write"));
    CHECK(test::contains(said, "0001.h5"));
}
