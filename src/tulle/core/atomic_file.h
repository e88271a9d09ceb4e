// SPDX-License-Identifier: Apache-2.0
// Files are written under a temporary name beside the target, synced and renamed: a crash, a full disk or an error
// leaves the target as it was, never half a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tulle {

// Whether a file is on the disk when it gets its name. Later is for files inside a folder that is synced as a whole.
enum class Sync { Now, Later };

// Throws an Error unless `target` could be created or replaced: its folder exists and can be written, and it is no
// folder or device.
void check_target(const std::filesystem::path& target);

// A name beside `target` that no other file, thread or process uses.
std::filesystem::path temporary_name(const std::filesystem::path& target);

// Syncs `temporary` and gives it the name `target`, replacing what was there.
void replace_file(const std::filesystem::path& temporary, const std::filesystem::path& target, Sync sync = Sync::Now);

// Throws the Error that `target` cannot be written, for the reason `code` of errno.
[[noreturn]] void fail_to_write(const std::filesystem::path& target, int code);

// A name for whatever else writes files: it writes to temporary(), and commit() syncs that and renames it.
class AtomicTarget {
public:
    explicit AtomicTarget(std::filesystem::path target);  // throws an Error unless check_target() lets it pass
    ~AtomicTarget();                                      // without commit() the temporary file is removed
    AtomicTarget(const AtomicTarget&) = delete;
    AtomicTarget& operator=(const AtomicTarget&) = delete;

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_; }
    void commit(Sync sync = Sync::Now);

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

// A file that appears under its name only when it is complete. Throws an Error if the target cannot be written.
class AtomicFile {
public:
    explicit AtomicFile(std::filesystem::path target);
    ~AtomicFile();  // without commit() the target is untouched
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    void write(std::string_view bytes);
    void write_bytes(std::span<const std::byte> bytes);
    void flush();  // after this a full disk can no longer be met
    void commit(Sync sync = Sync::Now);

private:
    AtomicTarget target_;
    std::string buffer_;
    int descriptor_ = -1;
};

// A folder that appears under its name only when it is complete; files are put into path() until commit().
class AtomicFolder {
public:
    // A folder that is there already is replaced if it holds nothing but files with the given extension (such as
    // ".obj"; "" for none); otherwise it is an Error.
    explicit AtomicFolder(std::filesystem::path target, const std::string& replaceable = "");
    ~AtomicFolder();  // without commit() everything is removed
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    const std::filesystem::path& path() const { return temporary_; }
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

void write_file(const std::filesystem::path& target, std::string_view contents);

// The whole of a regular file. Throws an Error if there is none, or if it holds more than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uintmax_t limit);

// A temporary name whose file, if there is one, is removed unless it was released.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target) : path_(temporary_name(target)) {}
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    const std::filesystem::path& path() const { return path_; }
    void release() { path_.clear(); }

private:
    std::filesystem::path path_;
};

}  // namespace tulle
