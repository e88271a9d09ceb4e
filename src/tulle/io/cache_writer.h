// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/cache.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tulle::io {

struct CacheWriterSettings {
    bool overwrite = false;  // replace a finished cache (at close) and drop what an interrupted run left
};

// Streams a sequence cache into X.h5.part. Every appended frame survives kill -9 (a failing machine may lose the last
// few: the file is synced when it is closed). Throws an Error if the disk is full, the name is taken or cannot be
// written; the frames appended before stay readable in the .part. Only caches of Tulle are ever replaced, and of
// several runs into one cache all but one are refused.
class CacheWriter {
public:
    CacheWriter(const std::filesystem::path& path, const CacheHeader& header, const CacheWriterSettings& settings = {});
    ~CacheWriter();  // without close() a readable X.h5.part stays, to be resumed
    CacheWriter(CacheWriter&&) noexcept;
    CacheWriter& operator=(CacheWriter&&) noexcept;

    // Frames with velocities are also kept as checkpoints, together with `memory`.
    void append(const CacheFrame& frame, std::span<const std::byte> memory = {});
    long frame_count() const;

    // X.h5.part becomes X.h5 and X.xdmf is written beside it. `ending`: why there are fewer frames than planned.
    void close(const std::string& ending = {});

    struct Resumed;
    // Goes on with X.h5.part or else X.h5: its frames up to the newest whole checkpoint are copied into a new
    // X.h5.part, and the next append() is the frame after. `path` names X.h5 or X.h5.part. If there is nothing to go
    // on from, the cache is begun anew. Throws an Error if it was made by another scene, method, seed or mesh.
    static Resumed resume(const std::filesystem::path& path, const CacheHeader& header);

private:
    struct Stream;
    explicit CacheWriter(std::unique_ptr<Stream> stream);
    std::unique_ptr<Stream> stream_;
};

struct CacheWriter::Resumed {
    CacheWriter writer;
    std::optional<Checkpoint> checkpoint;  // of the last frame in the writer; none if it was begun anew
};

}  // namespace tulle::io
