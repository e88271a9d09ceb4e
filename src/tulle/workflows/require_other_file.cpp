// SPDX-License-Identifier: Apache-2.0
#include "tulle/workflows/require_other_file.h"

#include "tulle/core/error.h"

namespace tulle::workflows {

void require_other_file(const std::filesystem::path& source, const std::filesystem::path& output,
                        const std::string& by) {
    std::error_code missing;  // what is not there cannot be replaced
    if (std::filesystem::equivalent(source, output, missing))
        throw Error("'{}' would be replaced by {}; give the output another name", source.string(), by);
}

}  // namespace tulle::workflows
