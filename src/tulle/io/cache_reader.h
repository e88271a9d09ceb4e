// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/frame_cost.h"
#include "tulle/io/cache.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tulle::io {

// Reads a sequence cache: a finished one, one that is being written, or what a killed run left behind (X.h5.part).
// Throws an Error for a file that is not a cache, of an unknown version, cut off, with an index out of range, with
// sizes that do not fit each other or the file, or with a value that is not finite.
class CacheReader {
public:
    explicit CacheReader(const std::filesystem::path& path);
    ~CacheReader();
    CacheReader(CacheReader&&) noexcept;
    CacheReader& operator=(CacheReader&&) noexcept;

    const std::filesystem::path& path() const;
    const CacheHeader& header() const;
    long frame_count() const;                                       // complete frames, as of the moment it was opened
    const VectorX& times() const;                                   // |F| [s]
    const VectorX& frame_milliseconds() const;                      // |F|
    FrameCost frame_cost() const;                                   // of all but the first, which is the start
    const std::string& ending() const;                              // why the run ended early; empty: it did not
    bool is_part() const { return path().extension() == ".part"; }  // not finished

    CacheFrame frame(long index) const;
    Positions positions(long index) const;                                    // of one frame, without the rest of it
    Eigen::Isometry3d collider_transform(size_t collider, long index) const;  // of a rigid one, rest to world
    Positions collider_positions(size_t collider, long index) const;          // |W|×3 [m] in the world
    std::optional<Checkpoint> checkpoint() const;                             // the newest whole one

private:
    struct Contents;
    void check_index(long index) const;
    std::unique_ptr<Contents> contents_;
};

}  // namespace tulle::io
