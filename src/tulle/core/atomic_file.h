// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

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

// A file that appears under its name only when it is complete: whatever writes it writes to temporary(), and commit()
// syncs that and renames it. A crash, a full disk or an error leaves the target as it was, never half a file.
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

}  // namespace tulle
