// SPDX-License-Identifier: Apache-2.0
#include "tulle/datasets/sequence.h"
#include "tests/support/error_of.h"
#include "tests/support/near.h"
#include "tests/support/temporary_folder.h"
#include "tulle/io/cache_writer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <numeric>

using namespace tulle;
using namespace tulle::datasets;

namespace {

std::vector<size_t> all_of(const Split& split) {
    std::vector<size_t> all = split.training;
    all.insert(all.end(), split.validation.begin(), split.validation.end());
    all.insert(all.end(), split.test.begin(), split.test.end());
    std::sort(all.begin(), all.end());
    return all;
}

void write_cache(const std::filesystem::path& path, long frames) {
    const geometry::GridCloth cloth = geometry::make_grid_cloth({3, 4}, {});
    io::CacheWriter writer(path, {.mesh = cloth.mesh,
                                  .scene = "name = \"a\"\n",
                                  .scene_name = "a",
                                  .method = "admm",
                                  .frame_rate = 50,
                                  .grid = cloth.size,
                                  .has_velocities = false});
    for (long f = 0; f < frames; ++f) {
        io::CacheFrame frame{.positions = cloth.mesh.positions, .time = 0.02 * static_cast<double>(f)};
        frame.positions.col(1).array() += static_cast<double>(f);
        writer.append(frame);
    }
    writer.close();
}

}  // namespace

TEST_CASE("Sequences are split into parts that share none and miss none") {
    for (const size_t count : {3UL, 4UL, 9UL, 10UL, 37UL, 200UL})
        for (const std::uint64_t seed : {0UL, 1UL, 12345UL}) {
            CAPTURE(count);
            CAPTURE(seed);
            const Split split = split_sequences(count, seed);
            std::vector<size_t> everyone(count);
            std::iota(everyone.begin(), everyone.end(), size_t{0});
            CHECK(all_of(split) == everyone);
            CHECK_FALSE(split.training.empty());
            CHECK_FALSE(split.validation.empty());
            CHECK_FALSE(split.test.empty());
            CHECK(split.training.size() >= split.test.size());
        }
    CHECK(split_sequences(200, 1).test.size() == 20);
    CHECK(split_sequences(200, 1, {.validation = 0.05, .test = 0.25}).test.size() == 50);
}

TEST_CASE("A split is the same for the same seed and another for another") {
    CHECK(split_sequences(50, 7).test == split_sequences(50, 7).test);
    CHECK(split_sequences(50, 7).validation == split_sequences(50, 7).validation);
    CHECK(split_sequences(50, 7).test != split_sequences(50, 8).test);
}

TEST_CASE("Two sequences cannot be split") {
    CHECK(test::contains(test::error_of([] { (void)split_sequences(2, 1); }), "generate at least three"));
}

TEST_CASE("A sequence holds what its cache holds") {
    const test::TemporaryFolder folder;
    write_cache(folder / "0000.h5", 5);
    const Sequence sequence = read_sequence(folder / "0000.h5");
    CHECK(sequence.name == "0000.h5");
    CHECK(sequence.scene_name == "a");
    CHECK(sequence.scene_text == "name = \"a\"\n");
    CHECK(sequence.grid == geometry::GridSize{3, 4});
    CHECK(sequence.frame_time == test::near(0.02));
    CHECK(sequence.frame_count() == 5);
    CHECK(sequence.frame(3)[3 * 7 + 1] == 3.0f);
    CHECK(sequence.frame(4)[3 * 11] == static_cast<float>(sequence.mesh.positions(11, 0)));
}

TEST_CASE("Only finished sequences of a folder are listed, in order, and an empty folder says how to fill it") {
    const test::TemporaryFolder folder;
    CHECK(test::contains(test::error_of([&] { (void)sequence_files(folder.path()); }), "tulle generate"));
    CHECK(test::contains(test::error_of([&] { (void)sequence_files(folder / "missing"); }), "tulle generate"));
    for (const char* name : {"0002.h5", "0000.h5", "0001.h5.part", "0003.lock", "0000.xdmf"})
        std::ofstream(folder / name) << "";
    CHECK(sequence_files(folder.path()) == std::vector<std::filesystem::path>{folder / "0000.h5", folder / "0002.h5"});
}

TEST_CASE("Draped poses are split alike whatever is asked for, and a folder that grows only gains") {
    const Split few = split_drapes(25, 0), many = split_drapes(40, 0), some = split_drapes(40, 7);
    CHECK(few.test == std::vector<size_t>{9, 19});
    CHECK(few.validation == std::vector<size_t>{8, 18});
    CHECK(few.training.size() == 21);
    CHECK(std::equal(few.training.begin(), few.training.begin() + 16, many.training.begin()));
    CHECK(some.test == many.test);
    CHECK(some.validation == many.validation);
    CHECK(some.training == std::vector<size_t>(many.training.begin(), many.training.begin() + 7));
    const Split usual = split_drapes(1250, 0), large = split_drapes(4250, 0);
    CHECK(usual.test.size() == 125);
    CHECK(large.test == usual.test);
    CHECK(large.validation == usual.validation);
    CHECK(large.training.size() == 4000);
    CHECK(tulle::test::contains(tulle::test::error_of([] { split_drapes(9, 0); }), "at least 10"));
    CHECK(tulle::test::contains(tulle::test::error_of([] { split_drapes(40, 33); }), "only 32 are for training"));
}
