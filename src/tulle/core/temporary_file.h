// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tulle {

// A name beside `target` that no other file, thread or process uses: TARGET.tulle-PROCESS-NUMBER.tmp.
std::filesystem::path temporary_name(const std::filesystem::path& target);

// A new file or folder under a temporary name. It is locked for as long as this lives, which tells others that its
// writer is alive, and removed in the end unless it was released.
class TemporaryFile {
public:
    enum class Kind { File, Folder };
    // Throws an Error that `target` cannot be written.
    explicit TemporaryFile(const std::filesystem::path& target, Kind kind = Kind::File);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    int descriptor() const { return descriptor_; }  // of a file, to write through
    void release() { path_.clear(); }               // it has its own name now

private:
    std::filesystem::path path_;
    int descriptor_ = -1;
};

// Removes what killed runs have left in a folder under temporary names; whatever a living process writes is locked and
// stays.
void remove_abandoned(const std::filesystem::path& folder);

}  // namespace tulle
