// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace tulle::workflows {

// Throws an Error if writing `output` would replace `source`; `by` is what it would be replaced by.
void require_other_file(const std::filesystem::path& source, const std::filesystem::path& output,
                        const std::string& by);

}  // namespace tulle::workflows
