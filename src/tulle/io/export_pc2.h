// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/export.h"

namespace tulle::io {

// X.pc2 with every frame (start frame 0, one frame per sample) and X.obj, the rest shape with the same vertex order.
void export_pc2(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

}  // namespace tulle::io
