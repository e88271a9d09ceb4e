// SPDX-License-Identifier: Apache-2.0
// PC2 point caches: what 3ds Max, Blender, Modo and others exchange moving points with. Little-endian:
//   "POINTCACHE2\0"   i32 version = 1   i32 points |V|   f32 start frame   f32 frames per sample   i32 samples |F|
//   then |F|×|V|×3 f32 positions.
#pragma once

#include "tulle/core/arrays.h"
#include "tulle/core/atomic_file.h"
#include "tulle/core/file_format.h"

#include <filesystem>
#include <string>

namespace tulle::io {

inline constexpr FileFormat pc2_format{"a point cache (PC2)", {"POINTCACHE2\0", 12}};

class Pc2Reader {
public:
    // Throws an Error for a file that is not a point cache, is cut off, or whose header does not fit its size.
    explicit Pc2Reader(const std::filesystem::path& path);

    long vertex_count() const { return vertex_count_; }
    long frame_count() const { return frame_count_; }
    double start_frame() const { return start_frame_; }
    double frames_per_sample() const { return frames_per_sample_; }
    Positions frame(long index) const;  // |V|×3; throws an Error if there is none, or a value is not finite

private:
    std::filesystem::path path_;
    long vertex_count_ = 0;
    long frame_count_ = 0;
    double start_frame_ = 0;
    double frames_per_sample_ = 1;
};

class Pc2Writer {
public:
    Pc2Writer(const std::filesystem::path& path, long vertex_count, long frame_count, double start_frame = 0,
              double frames_per_sample = 1);
    void append(const Positions& positions);
    void commit();  // after frame_count frames

private:
    AtomicFile file_;
    [[maybe_unused]] long vertex_count_;  // only asserted
    long missing_frames_;
};

}  // namespace tulle::io
