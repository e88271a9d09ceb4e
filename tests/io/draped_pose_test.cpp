// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/draped_pose.h"

#include "tests/io/support.h"

#include <fstream>

using namespace tulle;
using namespace tulle::io;
using namespace tulle::io::test;
namespace fs = std::filesystem;

namespace {

DrapedPose example() {
    DrapedPose pose{.scene = "name = \"shirt\"\n",
                    .seed = 17,
                    .angles = {{"waist", {0.1, -0.2, 0.3}}, {"left_elbow", {1.5, 0, -0.25}}},
                    .positions = Rows<float, 3>::Random(40, 3),
                    .attempts = 2,
                    .mean_speed = 6e-4,
                    .longest_edge = 1.25};
    return pose;
}

std::string refusal(const fs::path& file) {
    return tulle::test::error_of([&] { (void)read_draped_pose(file); });
}

}  // namespace

TEST_CASE("A garment on a posed body is read as it was written") {
    const TemporaryFolder folder;
    const DrapedPose written = example();
    write_draped_pose(folder / "0000.h5", written);
    const DrapedPose read = read_draped_pose(folder / "0000.h5");
    CHECK(read.scene == written.scene);
    CHECK(read.seed == 17);
    CHECK(read.attempts == 2);
    CHECK(read.mean_speed == written.mean_speed);
    CHECK(read.longest_edge == written.longest_edge);
    CHECK(read.positions == written.positions);
    REQUIRE(read.angles.size() == 2);
    CHECK(read.angles[1].first == "left_elbow");
    CHECK(read.angles[1].second == written.angles[1].second);
    CHECK(std::distance(fs::directory_iterator(folder.path()), {}) == 1);  // nothing temporary is left
}

TEST_CASE("h5py reads a garment on a posed body") {
    const TemporaryFolder folder;
    const DrapedPose written = example();
    write_draped_pose(folder / "a.h5", written);
    const Outcome outcome =
        run("/usr/bin/python3 -c \"import h5py; f = h5py.File('" + (folder / "a.h5").string() +
            "'); print(f.attrs['joints'].decode() if hasattr(f.attrs['joints'], 'decode') else f.attrs['joints'], "
            "f['angles'][1, 0], f['positions'].shape, f.attrs['seed'])\"");
    CAPTURE(outcome.output);
    CHECK(outcome.exit_code == 0);
    CHECK(contains(outcome.output, "waist left_elbow 1.5 (40, 3) 17"));
}

TEST_CASE("What is no garment on a posed body is refused in a sentence that names the file") {
    const TemporaryFolder folder;
    CHECK(contains(refusal(folder / "none.h5"), "none.h5"));
    std::ofstream(folder / "text.h5") << "not HDF5";
    CHECK(contains(refusal(folder / "text.h5"), "text.h5"));
    write_example(folder / "cache.h5", example_header(), 3);
    CHECK(contains(refusal(folder / "cache.h5"), "no garment on a posed body"));
    write_draped_pose(folder / "old.h5", example());
    const std::string set_version = "/usr/bin/python3 -c \"import h5py, numpy; h5py.File('" +
                                    (folder / "old.h5").string() + "', 'a').attrs['version'] = numpy.uint64(1)\"";
    REQUIRE(run(set_version).exit_code == 0);
    CHECK(contains(refusal(folder / "old.h5"), "generate the poses anew"));
    DrapedPose broken = example();
    broken.positions(3, 1) = std::numeric_limits<float>::quiet_NaN();
    write_draped_pose(folder / "nan.h5", broken);
    CHECK(contains(refusal(folder / "nan.h5"), "not finite"));
    write_draped_pose(folder / "short.h5", example());
    fs::resize_file(folder / "short.h5", fs::file_size(folder / "short.h5") / 2);
    CHECK(contains(refusal(folder / "short.h5"), "short.h5"));
}
