// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/export.h"

namespace tulle::io {

// A folder with cloth.0000.obj, cloth.0001.obj, … with normals and texture coordinates, and the colliders as
// <name>.0000.obj, … or <name>.obj if they are still. With overwrite an old folder is replaced if it holds nothing but
// such files.
void export_obj_sequence(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

// Frame 0 of the cloth as one file.
void export_obj_frame(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

}  // namespace tulle::io
