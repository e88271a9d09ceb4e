// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/draped_pose.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"
#include "tulle/io/hdf5_read.h"
#include "tulle/io/hdf5_write.h"

#include <fmt/ranges.h>

#include <cmath>
#include <sstream>

namespace tulle::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view format_name = "tulle-drape";
constexpr std::uint64_t version = 2;  // those of version 1 were soft all the way, and their folds chance
constexpr FileFormat hdf5_format{"an HDF5 file", "\x89HDF\r\n\x1a\n"};

std::vector<std::string> words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

template <typename Scalar>
Rows<Scalar, 3> read_rows(const hdf5::InputFile& file, const std::string& name) {
    const hdf5::InputArray array = file.floats(name, 2);
    if (array.shape()[1] != 3) file.fail(fmt::format("'{}' has {} columns in place of 3", name, array.shape()[1]));
    Rows<Scalar, 3> rows(static_cast<long>(array.shape()[0]), 3);
    array.read_rows(0, array.shape()[0], rows.data());
    if (!rows.allFinite()) file.fail(fmt::format("'{}' holds a number that is not finite", name));
    return rows;
}

}  // namespace

void write_draped_pose(const fs::path& path, const DrapedPose& pose) {
    const hdf5::Quiet quiet;
    prepare_target(path, hdf5_format);
    const fs::path temporary = temporary_name(path);  // not an AtomicTarget: HDF5 wants to lock the file itself
    hdf5::OutputFile file(temporary, path.string());
    std::vector<std::string> joints;
    Rows<double, 3> angles(static_cast<long>(pose.angles.size()), 3);
    for (const auto& [name, bends] : pose.angles) {
        angles.row(static_cast<long>(joints.size())) = bends;
        joints.push_back(name);
    }
    file.set_attribute("format", std::string(format_name));
    file.set_attribute("version", version);
    file.set_attribute("scene", pose.scene);
    file.set_attribute("joints", fmt::format("{}", fmt::join(joints, " ")));
    file.set_attribute("seed", pose.seed);
    file.set_attribute("attempts", static_cast<std::uint64_t>(pose.attempts));
    file.set_attribute("mean_speed", pose.mean_speed);
    file.set_attribute("longest_edge", pose.longest_edge);
    file.create_array("positions", {static_cast<hsize_t>(pose.positions.rows()), 3}, pose.positions.data());
    file.create_array("angles", {static_cast<hsize_t>(angles.rows()), 3}, angles.data());
    file.close();
    replace_file(temporary, path);
}

DrapedPose read_draped_pose(const fs::path& path) {
    const hdf5::Quiet quiet;
    const hdf5::InputFile file(path);
    if (!file.has_attribute("format") || file.text_attribute("format") != format_name)
        file.fail("it is no garment on a posed body; `tulle generate SCENE --poses N` makes such files");
    if (file.integer_attribute("version") != version)
        file.fail(
            fmt::format("its version is {}, but only {} can be read; remove its folder and generate the poses anew",
                        file.integer_attribute("version"), version));
    DrapedPose pose{.scene = file.text_attribute("scene"),
                    .seed = file.integer_attribute("seed"),
                    .angles = {},
                    .positions = read_rows<float>(file, "positions"),
                    .attempts = static_cast<int>(file.integer_attribute("attempts")),
                    .mean_speed = file.number_attribute("mean_speed"),
                    .longest_edge = file.number_attribute("longest_edge")};
    const std::vector<std::string> joints = words(file.text_attribute("joints"));
    const Rows<double, 3> angles = read_rows<double>(file, "angles");
    if (static_cast<long>(joints.size()) != angles.rows())
        file.fail(fmt::format("it names {} joints but has angles of {}", joints.size(), angles.rows()));
    for (size_t j = 0; j < joints.size(); ++j) pose.angles.emplace_back(joints[j], angles.row(static_cast<long>(j)));
    return pose;
}

}  // namespace tulle::io
