// SPDX-License-Identifier: Apache-2.0
// The rule for every output of Tulle: it never takes the place of an input, and of another file only if that is of the
// format which is written. Files that nobody named (a side file, a report) begin with a line of ours, and only what
// begins so is replaced.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace tulle {

// How files of a format are known: by the bytes they begin with.
struct FileFormat {
    std::string_view name;       // for sentences, such as "a picture (PNG)"
    std::string_view beginning;  // bytes
    std::size_t offset = 0;      // where they stand
};

// What may stand under the name without a loss: an empty file, or one of the same format.
bool is_empty_or_of(const FileFormat& format, const std::filesystem::path& path);

// Throws an Error if `target` is there and is something else.
void require_replaceable(const std::filesystem::path& target, const FileFormat& format);

}  // namespace tulle
