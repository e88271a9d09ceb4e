// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/clip.h"
#include "tulle/body/skin.h"

#include <string>
#include <vector>

namespace tulle::body {

// A body that can be posed: its skeleton, its surface, and the motions that came with it.
struct Character {
    std::string name;
    Skeleton skeleton;
    Skin skin;
    Triangles triangles;  // |T|×3
    Skinning skinning = Skinning::Linear;
    std::vector<Clip> clips;

    Positions posed(const Pose& pose) const {  // |V|×3 [m]
        return skinned(skin, skinning_transforms(skin, skeleton.place(pose)), skinning);
    }
};

// A pose with every joint of `joints` at angles drawn evenly within its limits, the others at rest.
Pose random_pose(const Skeleton& skeleton, const std::vector<std::string>& joints, std::uint64_t seed);

}  // namespace tulle::body
