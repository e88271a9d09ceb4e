// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/skin.h"

namespace tulle::body {

struct SkinInfluences {
    InfluenceJoints joints;    // |V|×K
    InfluenceWeights weights;  // |V|×K
};

// Smooth weights from the one joint that each vertex belongs to: the membership of every joint spreads over the surface
// like heat (two implicit steps of the time ½ spread²), and the largest four are kept. `spread` (|V| [m]) is about how
// far the weight of a joint reaches into the next. Throws an Error if the surface has a triangle without area.
SkinInfluences spread_weights(const Positions& positions, const Triangles& triangles, const std::vector<int>& joint_of,
                              int joint_count, const VectorX& spread);

}  // namespace tulle::body
