// SPDX-License-Identifier: Apache-2.0
// How a surface follows a skeleton.
#pragma once

#include "tulle/body/skeleton.h"

namespace tulle::body {

enum class Skinning {
    Linear,           // the weighted mean of where each joint would carry a vertex (Magnenat-Thalmann et al. 1988)
    DualQuaternions,  // the weighted mean of the joints' rigid motions (Kavan et al. 2007): keeps volume where they
                      // twist
};

// Row-major, so that the influences of a vertex are beside each other.
using InfluenceJoints = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using InfluenceWeights = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Skin {
    Positions positions;       // |V|×3 [m], the surface when it was bound
    InfluenceJoints joints;    // |V|×K, which joints carry a vertex
    InfluenceWeights weights;  // |V|×K, by how much; every row adds up to 1, unused places are 0
    Affines inverse_binds;     // from the space of `positions` into each joint's frame when it was bound
};

// Throws an Error unless every index is in range, and every weight finite, not negative and part of a sum of 1.
void check(const Skin& skin, const Skeleton& skeleton);

// A skin that is bound to a skeleton as it rests.
Affines inverse_binds_at_rest(const Skeleton& skeleton);

// What each joint does to a point of the bound surface: its place in a pose after the inverse of where it was bound.
Affines skinning_transforms(const Skin& skin, const Affines& placed);

// The surface in a pose, |V|×3 [m]; `transforms` are those of skinning_transforms. Dual quaternions know no scale:
// they take the rotation nearest to each transform.
Positions skinned(const Skin& skin, const Affines& transforms, Skinning method);

// The same written to be read: the definition of correct.
Positions skinned_reference(const Skin& skin, const Affines& transforms, Skinning method);

}  // namespace tulle::body
