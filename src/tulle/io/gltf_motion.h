// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/triangle_mesh.h"

#include <filesystem>
#include <vector>

namespace tulle::io {

// A mesh that moves by morph targets.
struct GltfMotion {
    geometry::TriangleMesh mesh;         // the shape without morph targets, in the world [m]
    std::vector<Rows<float, 3>> frames;  // |V|×3 each [m], y up
    double frame_rate = 25;              // [1/s]
};

// Reads the node `Cloth` of a glTF 2.0 file (.glb or .gltf), or else the first that has morph targets, at every key of
// its weights; without such keys it is one frame. Vertices that differ in normals or texture coordinates only become
// one again, and the mesh's faces keep the seam. Other nodes are left out.
// Throws an Error that names the file for anything that is not such a mesh.
GltfMotion read_gltf_motion(const std::filesystem::path& path);

}  // namespace tulle::io
