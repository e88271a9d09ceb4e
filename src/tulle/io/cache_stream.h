// SPDX-License-Identifier: Apache-2.0
// The HDF5 side of a cache that is being written. Only for the .cpp files of this folder.
#pragma once

#include "tulle/core/atomic_file.h"
#include "tulle/io/cache.h"
#include "tulle/io/checkpoint.h"
#include "tulle/io/file_claim.h"
#include "tulle/io/hdf5_write.h"

#include <filesystem>
#include <vector>

namespace tulle::io {

// The temporary name of a file that is claimed otherwise; the file is removed unless it got another name.
struct FirstName {
    std::filesystem::path path;
    explicit FirstName(const std::filesystem::path& target) : path(temporary_name(target)) {}
    ~FirstName();
    FirstName(const FirstName&) = delete;
    FirstName& operator=(const FirstName&) = delete;
};

class CacheStream {
public:
    // Starts a file under a temporary name; publish() makes it X.h5.part.
    CacheStream(const std::filesystem::path& path, const CacheHeader& header);

    enum class Place { Free, Claimed };  // whether there is an X.h5.part of a dead run, which the caller has claimed
    // Throws FileIsTaken if another run was faster.
    void publish(Place place);
    void append(const CacheFrame& frame);
    void keep(const Checkpoint& checkpoint);
    void end(const std::string& ending);
    void close();
    bool is_in_place() const { return claim_.is_named(part_path(path_)); }  // X.h5.part is still this one

    const std::filesystem::path& path() const { return path_; }  // X.h5
    const CacheHeader& header() const { return header_; }
    const std::vector<double>& times() const { return times_; }  // of the frames so far [s]
    long frame_count() const { return static_cast<long>(times_.size()); }

private:
    void create_colliders();
    void append_collider(const CacheFrame& frame, size_t collider);
    void append_bounds(const Eigen::VectorXf& bounds);
    void append_points(const hdf5::Handle& dataset, const Positions& values, const std::string& what);

    std::filesystem::path path_;
    FirstName temporary_;
    CacheHeader header_;
    std::vector<double> times_;
    Rows<float, 3> rounded_;
    FileClaim claim_;
    hdf5::OutputFile file_;
    hdf5::Handle positions_dataset_, velocities_dataset_, bounds_dataset_, milliseconds_dataset_, time_dataset_,
        ending_dataset_;
    std::vector<hdf5::Handle> collider_datasets_;  // of transforms, or of positions where it deforms
    CheckpointWriter checkpoints_;
};

}  // namespace tulle::io
