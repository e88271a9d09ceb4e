// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/keyframes.h"

#include <string>
#include <vector>

namespace tulle::body {

// The joint on the other side: "left_" and "right_" change places. A name without them is that of a joint in the
// middle.
std::string mirrored_joint(const std::string& joint);

// The pose as a mirror shows it, for a skeleton like the mannequin's, whose x = 0 is the plane of the mirror: joints
// of both sides change places, all others spread and twist the other way. In the order of `angles`. Throws an
// Error if the partner of a joint is not among them.
std::vector<NamedAngles> mirrored_angles(const std::vector<NamedAngles>& angles);

}  // namespace tulle::body
