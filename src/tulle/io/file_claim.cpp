// SPDX-License-Identifier: Apache-2.0
#include "tulle/io/file_claim.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tulle::io {

FileClaim::FileClaim(const std::filesystem::path& path, std::string shown_path) : shown_path_(std::move(shown_path)) {
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw Error("cannot write '{}': {}", shown_path_, std::strerror(errno));
    lock(path);
}

std::optional<FileClaim> FileClaim::existing(const std::filesystem::path& path) {
    FileClaim claim;
    claim.shown_path_ = path.string();
    claim.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (claim.descriptor_ < 0 && errno == ENOENT) return std::nullopt;
    if (claim.descriptor_ < 0) throw Error("cannot write '{}': {}", claim.shown_path_, std::strerror(errno));
    claim.lock(path);
    return claim;
}

void FileClaim::lock(const std::filesystem::path& path) {
    // Locks of the open file description do not meet the flock() that HDF5 takes when it opens a file for reading.
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    const bool is_taken = ::fcntl(descriptor_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES);
    // Between the opening and the lock another run may have put its own file there: then the lock is worth nothing.
    if (!is_taken && is_named(path)) return;  // a file system without locks is used without
    ::close(std::exchange(descriptor_, -1));
    throw FileIsTaken("cannot write '{}': another run is writing it; wait for it or give another name", shown_path_);
}

bool FileClaim::is_named(const std::filesystem::path& path) const {
    struct stat claimed {
    }, named{};
    return ::fstat(descriptor_, &claimed) == 0 && ::stat(path.c_str(), &named) == 0 && claimed.st_dev == named.st_dev &&
           claimed.st_ino == named.st_ino;
}

FileClaim::~FileClaim() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FileClaim::reserve(std::uint64_t bytes) const {
    struct stat information {};
    if (::fstat(descriptor_, &information) != 0)
        throw Error("cannot write '{}': {}", shown_path_, std::strerror(errno));
    const int failed = ::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, information.st_size, static_cast<off_t>(bytes));
    // A file system that cannot reserve is used without; a full disk then shows in the writing itself.
    if (failed != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
        throw Error("cannot write '{}': {}; make room and resume", shown_path_, std::strerror(errno));
}

}  // namespace tulle::io
