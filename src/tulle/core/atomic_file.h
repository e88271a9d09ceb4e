// SPDX-License-Identifier: Apache-2.0
// Files are written under a temporary name beside the target, synced and renamed: a crash, a full disk or an error
// leaves the target as it was, never half a file.
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/core/temporary_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

// Whether a file is on the disk when it gets its name. Later is for files inside a folder that is synced as a whole.
enum class Sync { Now, Later };

// Makes the folder of `target`. Throws an Error unless the target can then be created or replaced: the folder can be
// written, and what has the name already is no folder or device and is of the same format.
void prepare_target(const std::filesystem::path& target, const FileFormat& format);

// Syncs `temporary` and gives it the name `target`, replacing what was there.
void replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target, Sync sync = Sync::Now);

// Throws the Error that `target` cannot be written, for the reason `code` of errno.
[[noreturn]] void fail_to_write(const std::filesystem::path& target, int code);

// A name for whatever else writes files: it writes to temporary(), and commit() syncs that and renames it.
class AtomicTarget {
public:
    // Throws an Error unless prepare_target() lets it pass.
    AtomicTarget(std::filesystem::path target, const FileFormat& format);

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_->path(); }
    int descriptor() const { return temporary_->descriptor(); }
    void commit(Sync sync = Sync::Now);

private:
    std::filesystem::path target_;
    std::optional<TemporaryFile> temporary_;  // removed if there is no commit()
};

// A file that appears under its name only when it is complete; without commit() the target is untouched. Throws an
// Error if the target cannot be written.
class AtomicFile {
public:
    AtomicFile(std::filesystem::path target, const FileFormat& format);

    void write(std::string_view bytes);
    void write_bytes(std::span<const std::byte> bytes);
    void flush();  // after this a full disk can no longer be met
    void commit(Sync sync = Sync::Now);

private:
    AtomicTarget target_;
    std::string buffer_;
};

// A folder that appears under its name only when it is complete; files are put into path() until commit().
class AtomicFolder {
public:
    // A folder that is there already is replaced if it is empty, or if it holds nothing but files of the given format;
    // otherwise it is an Error.
    explicit AtomicFolder(std::filesystem::path target, const std::optional<FileFormat>& replaceable = {});

    const std::filesystem::path& path() const { return temporary_->path(); }
    void commit();

private:
    std::filesystem::path target_;
    std::optional<TemporaryFile> temporary_;  // removed with all in it if there is no commit()
};

void write_file(const std::filesystem::path& target, std::string_view contents, const FileFormat& format);

// The whole of a regular file. Throws an Error if there is none, or if it holds more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

}  // namespace tulle
