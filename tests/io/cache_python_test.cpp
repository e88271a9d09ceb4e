// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/io/cache_writer.h"

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

void check_with_python(const fs::path& cache, const CacheHeader& header, long frames) {
    fs::path expected = cache;
    expected += ".expected";
    write_expected(expected, header, example_frames(header, frames));
    const Outcome outcome = run_python("read_cache.py", cache.string() + " " + expected.string());
    CAPTURE(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output == std::to_string(frames) + " frames are the same\n");
}

}  // namespace

TEST_CASE("h5py reads every frame of a finished cache, directly and through its XDMF sidecar") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header(9, 13);
    write_example(folder / "a.h5", header, 25);
    check_with_python(folder / "a.h5", header, 25);
}

TEST_CASE("h5py reads a collider that deforms, directly and through the XDMF sidecar") {
    const TemporaryFolder folder;
    const CacheHeader header = deforming_header();
    write_example(folder / "a.h5", header, 7);
    check_with_python(folder / "a.h5", header, 7);
}

TEST_CASE("h5py reads every frame of a cache that is being written") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header(9, 13);
    CacheWriter writer(folder / "a.h5", header);
    for (long f = 0; f < 12; ++f) writer.append(example_frame(header, f), example_state(f));
    check_with_python(folder / "a.h5.part", header, 12);
}
