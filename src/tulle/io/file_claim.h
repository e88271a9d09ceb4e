// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace tulle::io {

// Another run has the file.
class FileIsTaken : public Error {
public:
    using Error::Error;
};

// Claims a file for this writer, and disk space for it, for as long as it lives; a killed process leaves no claim.
// HDF5 gives its own lock up in SWMR mode so that others can read, and then nothing keeps a second writer away.
class FileClaim {
public:
    FileClaim() = default;
    // Creates the file if there is none. Throws FileIsTaken if another run writes it, an Error if it cannot be written.
    // Errors speak of `shown_path`.
    FileClaim(const std::filesystem::path& path, std::string shown_path);
    // Nothing is created: without a file there is no claim.
    static std::optional<FileClaim> existing(const std::filesystem::path& path);
    FileClaim(FileClaim&& other) noexcept
        : shown_path_(std::move(other.shown_path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileClaim& operator=(FileClaim&& other) noexcept {
        std::swap(shown_path_, other.shown_path_);
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileClaim();

    // Whether the claimed file is the one that has this name. Another may have taken its place.
    bool is_named(const std::filesystem::path& path) const;

    // Makes sure that the file can grow by this many bytes. A full disk must be noticed here and not inside HDF5, which
    // does not recover from it. Throws an Error.
    void reserve(std::uint64_t bytes) const;

private:
    void lock(const std::filesystem::path& path);

    std::string shown_path_;
    int descriptor_ = -1;
};

}  // namespace tulle::io
