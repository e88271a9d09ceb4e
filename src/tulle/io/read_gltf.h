// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/character.h"

#include <filesystem>

namespace tulle::io {

// Reads a skinned character from a glTF 2.0 file (.glb, or .gltf with its buffers): all its nodes as a skeleton, the
// triangles of every mesh that has a skin, and its animations of nodes. Vertices that differ in normals or texture
// coordinates only become one again, so that a closed body is closed. Cameras, materials, morph targets and meshes
// without a skin are left out. Positions are those of the file: y is up.
// Throws an Error that names the file for anything that is not such a character: no skin, an index that is not there,
// numbers that are cut off or not finite, weights that add up to nothing, a compression that we do not know.
body::Character read_gltf_character(const std::filesystem::path& path);

}  // namespace tulle::io
