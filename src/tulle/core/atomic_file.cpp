// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"

#include "tulle/core/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tulle {

namespace fs = std::filesystem;

namespace {

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

[[noreturn]] void fail(const fs::path& target, int code) {
    throw Error("cannot write '{}': {}", target.string(), std::strerror(code));
}

void check_target(const fs::path& target) {
    if (!target.has_filename()) throw Error("'{}' is not a file name; give one to write to", target.string());
    std::error_code code;
    const fs::path folder = folder_of(target);
    if (!fs::is_directory(folder, code))
        throw Error("cannot write '{}': there is no folder '{}'; create it first", target.string(), folder.string());
    const fs::file_status status = fs::status(target, code);
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw Error("cannot write '{}': it is not a regular file; give another name", target.string());
    if (::access(folder.c_str(), W_OK | X_OK) != 0) fail(target, errno);
}

fs::path free_name_beside(const fs::path& target) {
    static std::atomic<int> counter = 0;  // two threads of one process must not choose the same name
    fs::path name;
    do {
        name = target;
        name += fmt::format(".part-{}-{}", ::getpid(), counter++);
    } while (fs::exists(fs::symlink_status(name)));
    return name;
}

// Without this a rename may be lost when the machine stops.
void sync_path(const fs::path& path, const fs::path& target) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(target, errno);
    const int code = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (code != 0 && code != EINVAL) fail(target, code);  // EINVAL: a file system without sync
}

}  // namespace

AtomicTarget::AtomicTarget(fs::path target) : target_(std::move(target)) {
    check_target(target_);
    temporary_ = free_name_beside(target_);
}

AtomicTarget::~AtomicTarget() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicTarget::commit() {
    sync_path(temporary_, target_);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    temporary_.clear();
    sync_path(folder_of(target_), target_);
}

}  // namespace tulle
