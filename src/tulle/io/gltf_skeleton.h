// SPDX-License-Identifier: Apache-2.0
// Nodes and animations of a glTF file. Only for the .cpp files of this folder.
#pragma once

#include "tulle/body/clip.h"
#include "tulle/io/gltf_file.h"

namespace tulle::io {

struct GltfSkeleton {
    body::Skeleton skeleton;
    std::vector<int> joint_of_node;
};

GltfSkeleton read_skeleton(const GltfFile& file);
std::vector<body::Clip> read_clips(const GltfFile& file, const GltfSkeleton& skeleton);

}  // namespace tulle::io
