// SPDX-License-Identifier: Apache-2.0
// How the vertices of a moving mesh become numbers of a glTF file. Only for the .cpp files of this folder.
#pragma once

#include "tulle/io/gltf_document.h"
#include "tulle/io/gltf_quantization.h"
#include "tulle/io/split_seams.h"

#include <memory>

namespace tulle::io {

class GltfMeshRows {
public:
    using Json = GltfDocument::Json;
    virtual ~GltfMeshRows() = default;
    // Accessors of positions and normals: of frame 0, and of what another frame differs by.
    virtual Json add_base(GltfDocument& document, const SplitMesh& split) const = 0;
    virtual Json add_target(GltfDocument& document, const SplitMesh& split, long frame) const = 0;
    virtual Json node_transform() const = 0;  // from these numbers to the world, y up
};

// 32-bit numbers in the world, y up: nodes without a transform, which tools can change as they like.
std::unique_ptr<GltfMeshRows> make_plain_rows(const MovingMesh& mesh, const Matrix3& to_y_up);

// See gltf_quantization.h. Nodes are scaled, turned and moved.
std::unique_ptr<GltfMeshRows> make_quantised_rows(const MovingMesh& mesh, const Matrix3& to_y_up);

}  // namespace tulle::io
