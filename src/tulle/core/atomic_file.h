// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace tulle {

// A file that appears under its name only when it is complete: whatever writes it writes to temporary(), and commit()
// syncs that and renames it. A crash, a full disk or an error leaves the target as it was, never half a file.
class AtomicTarget {
public:
    // Throws an Error unless `target` could be created or replaced: its folder exists and can be written, and it is
    // no folder or device.
    explicit AtomicTarget(std::filesystem::path target);
    ~AtomicTarget();  // without commit() the temporary file is removed
    AtomicTarget(const AtomicTarget&) = delete;
    AtomicTarget& operator=(const AtomicTarget&) = delete;

    const std::filesystem::path& target() const { return target_; }
    const std::filesystem::path& temporary() const { return temporary_; }
    void commit();

private:
    std::filesystem::path target_;
    std::filesystem::path temporary_;
};

}  // namespace tulle
