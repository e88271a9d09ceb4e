// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/core/file_format.h"
#include "tulle/io/export.h"

namespace tulle::io {

inline constexpr FileFormat usda_format{"a USD text file", "#usda 1.0"};

// A text layer (.usda): /World/Cloth with points and velocities that read back with the same f32 bits, normals to 1e-5,
// primvars:st; /World/Colliders/<name> as meshes with a transform per frame, or with points per frame.
void export_usd(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

}  // namespace tulle::io
