// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/export.h"

namespace tulle::io {

// X.pc2 with every frame and X.obj, the rest shape with the same vertex order. Beside them every collider: X.NAME.obj,
// where it is at first, and X.NAME.pc2 if it moves.
void export_pc2(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

// Throws an Error unless all of these files can be written.
void prepare_pc2(const std::filesystem::path& target);

}  // namespace tulle::io
