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

class CacheStream {
public:
    // Starts a file under a temporary name; publish() makes it X.h5.part.
    CacheStream(const std::filesystem::path& path, const CacheHeader& header);

    void publish();
    void append(const CacheFrame& frame);
    void keep(const Checkpoint& checkpoint);
    void close();

    const std::filesystem::path& path() const { return path_; }  // X.h5
    const CacheHeader& header() const { return header_; }
    const std::vector<double>& times() const { return times_; }  // of the frames so far [s]
    long frame_count() const { return static_cast<long>(times_.size()); }

private:
    void create_colliders();
    void append_collider(const CacheFrame& frame, size_t collider);
    void append_points(const hdf5::Handle& dataset, const Positions& values, const std::string& what);

    std::filesystem::path path_;
    TemporaryFile temporary_;  // the file's name until publish()
    CacheHeader header_;
    std::vector<double> times_;
    Rows<float, 3> rounded_;
    FileClaim claim_;
    hdf5::OutputFile file_;
    hdf5::Handle positions_dataset_, velocities_dataset_, milliseconds_dataset_, time_dataset_;
    std::vector<hdf5::Handle> collider_datasets_;  // of transforms, or of positions where it deforms
    CheckpointWriter checkpoints_;
};

}  // namespace tulle::io
