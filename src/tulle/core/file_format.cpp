// SPDX-License-Identifier: Apache-2.0
#include "tulle/core/file_format.h"

#include "tulle/core/error.h"

#include <fstream>
#include <string>

namespace tulle {

namespace fs = std::filesystem;

bool is_empty_or_of(const FileFormat& format, const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;  // what cannot be read is not known
    std::string head(format.offset + format.beginning.size(), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    const auto count = static_cast<std::size_t>(file.gcount());
    return count == 0 || (count == head.size() && std::string_view(head).substr(format.offset) == format.beginning);
}

void require_replaceable(const fs::path& target, const FileFormat& format) {
    std::error_code code;
    if (!fs::exists(target, code) || is_empty_or_of(format, target)) return;
    throw Error("cannot write '{}': what is there is not {} and is kept; remove it or give another name",
                target.string(), format.name);
}

}  // namespace tulle
