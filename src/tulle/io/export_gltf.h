// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/io/export.h"

namespace tulle::io {

// A binary glTF 2.0 file (.glb), or the same as text (.gltf). The cloth is frame 0 with one morph target per further
// frame, and an animation whose weights move linearly from each frame to the next; colliders are nodes that turn and
// move, and those that deform are written as the cloth is. A vertex on a texture seam is written once for each side.
// Plain: 32-bit numbers, nodes of moving meshes without a transform, no extension.
// Quantised, with KHR_mesh_quantization: positions are 16-bit, off by at most half of 1/32767 of the largest
// displacement (or half size) along each axis; normals 8-bit, off by at most 1.6 degrees, where that is possible, else
// f32: see gltf_quantization.h. 300 frames of 3,577 vertices are 12.9 MB instead of 25.7 MB.
void export_gltf(const CacheReader& cache, const std::filesystem::path& target, const ExportSettings& settings);

}  // namespace tulle::io
