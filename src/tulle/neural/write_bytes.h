// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace tulle::neural {

// Writes a file under a temporary name first; replaces an older file. Throws an Error if it cannot be written.
void write_bytes(const std::filesystem::path& path, std::string_view bytes);

}  // namespace tulle::neural
