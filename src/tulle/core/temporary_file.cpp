// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/temporary_file.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

namespace tulle {

namespace fs = std::filesystem;

namespace {

// Takes `ending` off the end of the text, if it is there.
bool take(std::string_view& text, std::string_view ending) {
    if (!text.ends_with(ending)) return false;
    text.remove_suffix(ending.size());
    return true;
}

bool take_number(std::string_view& text) {
    const size_t size = text.find_last_not_of("0123456789") + 1;  // 0 if there is nothing else
    const bool is_there = size < text.size();
    text = text.substr(0, size);
    return is_there;
}

// ANYTHING.tulle-NUMBER-NUMBER.tmp. Read by hand: gcc 12 warns of its own <regex> where the sanitizers are on.
bool has_temporary_name(const fs::path& path) {
    const std::string name = path.filename().string();
    std::string_view rest = name;
    return take(rest, ".tmp") && take_number(rest) && take(rest, "-") && take_number(rest) && take(rest, ".tulle-");
}

bool is_taken(int locked) { return locked != 0 && (errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES); }

// Creates it anew; negative with errno if that fails.
int create(const fs::path& path, TemporaryFile::Kind kind) {
    if (kind == TemporaryFile::Kind::File) return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (::mkdir(path.c_str(), 0777) != 0) return -1;
    return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

// Between its creation and its lock somebody may have taken it for abandoned.
bool lock_still_there(int descriptor) {
    if (is_taken(::flock(descriptor, LOCK_EX | LOCK_NB))) return false;  // a file system without locks is used without
    struct stat information {};
    return ::fstat(descriptor, &information) == 0 && information.st_nlink > 0;
}

// Locks of both kinds: HDF5 files are claimed by the second, because HDF5 itself takes the first.
void remove_if_abandoned(const fs::path& path, bool is_folder) {
    const int descriptor = ::open(path.c_str(), (is_folder ? O_RDONLY : O_RDWR) | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) return;
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    // The claim first: the other lock, held even for a moment, would make HDF5 fail to open a file that is claimed.
    const bool is_free =
        (is_folder || ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    std::error_code ignored;
    if (is_free) fs::remove_all(path, ignored);  // while it is locked
    ::close(descriptor);
}

}  // namespace

fs::path temporary_name(const fs::path& target) {
    static std::atomic<int> counter = 0;  // two threads of one process must not choose the same name
    fs::path name;
    do {
        name = target;
        name += fmt::format(".tulle-{}-{}.tmp", ::getpid(), counter++);
    } while (fs::exists(fs::symlink_status(name)));
    return name;
}

TemporaryFile::TemporaryFile(const fs::path& target, Kind kind) {
    do {
        if (descriptor_ >= 0) ::close(descriptor_);
        path_ = temporary_name(target);
        descriptor_ = create(path_, kind);
        if (descriptor_ < 0 && errno != EEXIST) fail_to_write(target, errno);
    } while (descriptor_ < 0 || !lock_still_there(descriptor_));
}

TemporaryFile::~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
    if (descriptor_ >= 0) ::close(descriptor_);
}

void remove_abandoned(const fs::path& folder) {
    std::error_code missing;
    std::vector<fs::directory_entry> found;
    for (const auto& entry : fs::directory_iterator(folder.empty() ? fs::path(".") : folder, missing))
        if (has_temporary_name(entry.path())) found.push_back(entry);
    for (const fs::directory_entry& entry : found) {
        std::error_code gone;
        if (entry.is_symlink(gone)) continue;
        if (entry.is_regular_file(gone)) remove_if_abandoned(entry.path(), /*is_folder=*/false);
        if (entry.is_directory(gone)) remove_if_abandoned(entry.path(), /*is_folder=*/true);
    }
}

}  // namespace tulle
