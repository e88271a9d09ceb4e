// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/atomic_file.h"

#include "tulle/core/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace tulle {

namespace fs = std::filesystem;

namespace {

constexpr size_t buffer_size = 1 << 20;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

// Without this a rename may be lost when the machine stops.
void sync_path(const fs::path& path, const fs::path& target) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail_to_write(target, errno);
    const int code = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (code != 0 && code != EINVAL && code != EROFS) fail_to_write(target, code);  // a file system without sync
}

// Everything written inside a folder, in one go: much faster than file by file.
void sync_file_system(const fs::path& folder, const fs::path& target) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail_to_write(target, errno);
    const int code = ::syncfs(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    if (code != 0) fail_to_write(target, code);
}

bool is_free(const fs::path& folder, const std::optional<FileFormat>& replaceable) {
    std::error_code code;
    if (!fs::exists(fs::symlink_status(folder, code))) return true;
    if (fs::is_symlink(folder, code) || !fs::is_directory(folder, code)) return false;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.is_symlink(code) || !entry.is_regular_file(code) || !replaceable ||
            !is_empty_or_of(*replaceable, entry.path()))
            return false;
    return true;
}

void make_folder_of(const fs::path& target) {
    const fs::path folder = folder_of(target);
    std::error_code code;
    fs::create_directories(folder, code);
    if (!fs::is_directory(folder))
        throw Error("cannot write '{}': the folder '{}' cannot be made: {}", target.string(), folder.string(),
                    code ? code.message() : "the name is taken");
}

}  // namespace

void fail_to_write(const fs::path& target, int code) {
    throw Error("cannot write '{}': {}", target.string(), std::strerror(code));
}

void prepare_target(const fs::path& target, const FileFormat& format) {
    if (!target.has_filename()) throw Error("'{}' is not a file name; give one to write to", target.string());
    make_folder_of(target);
    std::error_code code;
    const fs::file_status status = fs::status(target, code);
    if (fs::is_directory(status)) throw Error("cannot write '{}': it is a folder; give a file name", target.string());
    if (fs::exists(status) && !fs::is_regular_file(status))
        throw Error("cannot write '{}': it is not a regular file; give another name", target.string());
    if (::access(folder_of(target).c_str(), W_OK | X_OK) != 0) fail_to_write(target, errno);
    require_replaceable(target, format);
}

void replace_file(const fs::path& temporary, const fs::path& target, Sync sync) {
    if (sync == Sync::Now) sync_path(temporary, target);
    if (::rename(temporary.c_str(), target.c_str()) != 0) fail_to_write(target, errno);
    if (sync == Sync::Now) sync_path(folder_of(target), target);
}

AtomicTarget::AtomicTarget(fs::path target, const FileFormat& format) : target_(std::move(target)) {
    prepare_target(target_, format);
    temporary_.emplace(target_);
}

void AtomicTarget::commit(Sync sync) {
    replace_file(temporary_->path(), target_, sync);
    temporary_->release();
}

AtomicFile::AtomicFile(fs::path target, const FileFormat& format) : target_(std::move(target), format) {
    buffer_.reserve(buffer_size);
}

void AtomicFile::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::write_bytes(std::span<const std::byte> bytes) {
    write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void AtomicFile::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty()) {
        const ssize_t written = ::write(target_.descriptor(), rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail_to_write(target_.target(), errno);
        rest.remove_prefix(static_cast<size_t>(written));
    }
    buffer_.clear();
}

void AtomicFile::commit(Sync sync) {
    flush();
    target_.commit(sync);
}

AtomicFolder::AtomicFolder(fs::path target, const std::optional<FileFormat>& replaceable) : target_(std::move(target)) {
    if (!target_.has_filename()) target_ = target_.parent_path();  // "folder/" means "folder"
    if (!is_free(target_, replaceable))
        throw Error("cannot write the folder '{}': the name is taken{}; give another one", target_.string(),
                    replaceable ? fmt::format(", and not all in it is {}", replaceable->name) : "");
    make_folder_of(target_);
    temporary_.emplace(target_, TemporaryFile::Kind::Folder);
}

void AtomicFolder::commit() {
    sync_file_system(temporary_->path(), target_);
    fs::path old;
    if (fs::exists(target_)) {
        old = temporary_name(target_);
        if (::rename(target_.c_str(), old.c_str()) != 0) fail_to_write(target_, errno);
    }
    replace_file(temporary_->path(), target_);
    temporary_->release();
    std::error_code ignored;
    if (!old.empty()) fs::remove_all(old, ignored);
}

void write_file(const fs::path& target, std::string_view contents, const FileFormat& format) {
    AtomicFile file(target, format);
    file.write(contents);
    file.commit();
}

std::string read_file(const fs::path& path, std::uintmax_t limit) {
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (!fs::exists(status)) throw Error("cannot open '{}': there is no such file", path.string());
    if (!fs::is_regular_file(status)) throw Error("cannot read '{}': it is not a file", path.string());
    const std::uintmax_t size = fs::file_size(path, code);
    if (size > limit)
        throw Error("cannot read '{}': it holds {} bytes, more than the {} allowed", path.string(), size, limit);
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) throw Error("cannot open '{}': {}", path.string(), std::strerror(errno));
    std::string contents(size, '\0');
    size_t filled = 0;
    ssize_t count = 1;
    while (filled < size && count > 0) {
        count = ::read(descriptor, contents.data() + filled, size - filled);
        if (count > 0) filled += static_cast<size_t>(count);
    }
    ::close(descriptor);
    if (filled != size) throw Error("cannot read '{}': it ended after {} of {} bytes", path.string(), filled, size);
    return contents;
}

}  // namespace tulle
