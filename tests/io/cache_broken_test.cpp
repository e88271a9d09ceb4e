// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/io/cache_reader.h"
#include "tulle/io/cache_writer.h"
#include "tulle/io/describe.h"

#include <fstream>
#include <iterator>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

void read_everything(const fs::path& path) {
    const CacheReader reader(path);
    for (long f = 0; f < reader.frame_count(); ++f) reader.frame(f);
}

// Damage that is found only when the frame itself is read.
const std::vector<std::string> broken_frames = {"position-nan",      "velocity-infinite", "transform-nan",
                                                "transform-scaled",  "never-written",     "blob-nan",
                                                "blob-never-written"};

std::string contents(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("Every broken cache ends in one sentence that names the file") {
    const TemporaryFolder folder;
    write_example(folder / "sound.h5", deforming_header(), 6);
    fs::create_directory(folder / "broken");
    const Outcome outcome =
        run_python("break_cache.py", (folder / "sound.h5").string() + " " + (folder / "broken").string());
    CAPTURE(outcome.output);
    REQUIRE(outcome.exit_code == 0);
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder / "broken")) {
        CAPTURE(entry.path().filename().string());
        ++count;
        const std::string message = error_of([&] { read_everything(entry.path()); }, entry.path());
        const std::string name = entry.path().stem().string();
        const bool is_frame = std::find(broken_frames.begin(), broken_frames.end(), name) != broken_frames.end();
        if (is_frame)
            CHECK_FALSE(describe(entry.path()).is_sound());
        else
            CHECK(error_of([&] { describe(entry.path()); }, entry.path()) == message);
    }
    CHECK(count >= 50);
    CHECK(contains(error_of([&] { read_everything(folder / "none.h5"); }, "none.h5"), "no such file"));
    read_everything(folder / "sound.h5");
}

TEST_CASE("A finished cache cut off anywhere is refused") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 6);
    const auto size = fs::file_size(folder / "a.h5");
    for (std::uintmax_t length = 0; length < size; length += length < 1500 ? 37 : size / 97) {
        CAPTURE(length);
        fs::copy_file(folder / "a.h5", folder / "cut.h5", fs::copy_options::overwrite_existing);
        fs::resize_file(folder / "cut.h5", length);
        error_of([&] { read_everything(folder / "cut.h5"); }, "cut.h5");
    }
}

TEST_CASE("A part cut off anywhere is refused or gives right frames only") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    CacheWriter writer(folder / "a.h5", header);
    for (long f = 0; f < 6; ++f) writer.append(example_frame(header, f));
    fs::copy_file(folder / "a.h5.part", folder / "whole.h5.part");  // as kill -9 would leave it
    const auto size = fs::file_size(folder / "whole.h5.part");
    int refused = 0;
    for (std::uintmax_t length = 0; length <= size; length += length < 1500 ? 37 : size / 97) {
        CAPTURE(length);
        fs::copy_file(folder / "whole.h5.part", folder / "cut.h5.part", fs::copy_options::overwrite_existing);
        fs::resize_file(folder / "cut.h5.part", length);
        try {
            const CacheReader reader(folder / "cut.h5.part");
            for (long f = 0; f < reader.frame_count(); ++f) check_frame(reader.frame(f), example_frame(header, f));
        } catch (const Error& error) {
            ++refused;
            CHECK(contains(error.what(), "cut.h5.part"));
        }
    }
    CHECK(refused > 50);
    check_frames(CacheReader(folder / "whole.h5.part"), header);
}

TEST_CASE("A cache with a changed byte is read, refused, or wrong in that place, but nothing crashes") {
    const TemporaryFolder folder;
    write_example(folder / "a.h5", example_header(), 3);
    const std::string sound = contents(folder / "a.h5");
    int refused = 0;
    for (size_t place = 0; place < sound.size(); place += place < 2048 ? 11 : sound.size() / 150) {
        CAPTURE(place);
        std::string changed = sound;
        changed[place] = static_cast<char>(changed[place] ^ 0x5a);
        std::ofstream(folder / "changed.h5", std::ios::binary) << changed;
        try {
            read_everything(folder / "changed.h5");
        } catch (const Error&) {
            ++refused;
        }
    }
    CHECK(refused > 50);
}

TEST_CASE("A broken part is not resumed and not removed") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header();
    std::ofstream(folder / "a.h5.part") << "not a cache";
    error_of([&] { CacheWriter::resume(folder / "a.h5", header); }, "a.h5.part");
    CHECK(contents(folder / "a.h5.part") == "not a cache");
    CHECK(folder.names() == std::vector<std::string>{"a.h5.part"});
}
