// SPDX-License-Identifier: Apache-2.0
#include "tests/io/support.h"
#include "tulle/io/cache_writer.h"

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

// Raw f64 numbers, in the order read_cache.py says.
void write_expected(const fs::path& path, const CacheHeader& header, long frames) {
    std::ofstream file(path, std::ios::binary);
    const auto put = [&](const double* data, long count) {
        file.write(reinterpret_cast<const char*>(data), count * static_cast<long>(sizeof(double)));
    };
    const double sizes[3] = {static_cast<double>(header.mesh.vertex_count()), static_cast<double>(frames),
                             static_cast<double>(header.colliders.size())};
    put(sizes, 3);
    for (long f = 0; f < frames; ++f) {
        const CacheFrame frame = example_frame(header, f);
        put(&frame.time, 1);
        put(frame.positions.data(), frame.positions.size());
        put(frame.velocities.data(), frame.velocities.size());
        for (const Eigen::Isometry3d& transform : frame.collider_transforms) {
            const Eigen::Matrix<double, 4, 4, Eigen::RowMajor> matrix = transform.matrix();
            put(matrix.data(), 16);
        }
    }
}

void check_with_python(const fs::path& cache, const CacheHeader& header, long frames) {
    fs::path expected = cache;
    expected += ".expected";
    write_expected(expected, header, frames);
    const Outcome outcome = run_python("read_cache.py", cache.string() + " " + expected.string());
    CAPTURE(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.output == "all " + std::to_string(frames) + " frames are the same\n");
}

}  // namespace

TEST_CASE("h5py reads every frame of a finished cache, directly and through its XDMF sidecar") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header(9, 13);
    write_example(folder / "a.h5", header, 25);
    check_with_python(folder / "a.h5", header, 25);
}

TEST_CASE("h5py reads every frame of a cache that is being written") {
    const TemporaryFolder folder;
    const CacheHeader header = example_header(9, 13);
    CacheWriter writer(folder / "a.h5", header);
    for (long f = 0; f < 12; ++f) writer.append(example_frame(header, f), example_state(f));
    check_with_python(folder / "a.h5.part", header, 12);
}
