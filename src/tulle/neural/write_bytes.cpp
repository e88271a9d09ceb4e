// SPDX-License-Identifier: Apache-2.0
#include "tulle/neural/write_bytes.h"

#include "tulle/core/atomic_file.h"
#include "tulle/core/error.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace tulle::neural {

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
    AtomicTarget target(path);
    std::ofstream file(target.temporary(), std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) throw Error("cannot write '{}': {}", path.string(), std::strerror(errno));
    target.commit();
}

}  // namespace tulle::neural
