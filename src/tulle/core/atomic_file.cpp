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

// Without this a rename may be lost when the machine stops.
void sync_path(const fs::path& path, const fs::path& target) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail_to_write(target, errno);
    const int code = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (code != 0 && code != EINVAL && code != EROFS) fail_to_write(target, code);  // a file system without sync
}

}  // namespace

void fail_to_write(const fs::path& target, int code) {
    throw Error("cannot write '{}': {}", target.string(), std::strerror(code));
}

void check_target(const fs::path& target) {
    if (!target.has_filename()) throw Error("'{}' is not a file name; give one to write to", target.string());
    std::error_code code;
    const fs::path folder = folder_of(target);
    if (!fs::is_directory(folder, code))
        throw Error("cannot write '{}': there is no folder '{}'; create it first", target.string(), folder.string());
    const fs::file_status status = fs::status(target, code);
    if (fs::is_directory(status)) throw Error("cannot write '{}': it is a folder; give a file name", target.string());
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw Error("cannot write '{}': it is not a regular file; give another name", target.string());
    if (::access(folder.c_str(), W_OK | X_OK) != 0) fail_to_write(target, errno);
}

fs::path temporary_name(const fs::path& target) {
    static std::atomic<int> counter = 0;  // two threads of one process must not choose the same name
    fs::path name;
    do {
        name = target;
        name += fmt::format(".tmp-{}-{}", ::getpid(), counter++);
    } while (fs::exists(fs::symlink_status(name)));
    return name;
}

void replace_file(const fs::path& temporary, const fs::path& target, Sync sync) {
    if (sync == Sync::Now) sync_path(temporary, target);
    if (::rename(temporary.c_str(), target.c_str()) != 0) fail_to_write(target, errno);
    if (sync == Sync::Now) sync_path(folder_of(target), target);
}

AtomicTarget::AtomicTarget(fs::path target) : target_(std::move(target)) {
    check_target(target_);
    temporary_ = temporary_name(target_);
}

AtomicTarget::~AtomicTarget() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicTarget::commit(Sync sync) {
    replace_file(temporary_, target_, sync);
    temporary_.clear();
}

}  // namespace tulle
