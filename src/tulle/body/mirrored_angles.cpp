// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mirrored_angles.h"

#include "tulle/core/error.h"

#include <algorithm>

namespace tulle::body {

std::string mirrored_joint(const std::string& joint) {
    const std::string left = "left_", right = "right_";
    if (joint.starts_with(left)) return right + joint.substr(left.size());
    if (joint.starts_with(right)) return left + joint.substr(right.size());
    return joint;
}

std::vector<NamedAngles> mirrored_angles(const std::vector<NamedAngles>& angles) {
    std::vector<NamedAngles> result;
    for (const auto& [name, own] : angles) {
        const std::string other = mirrored_joint(name);
        const auto found =
            std::ranges::find_if(angles, [&](const NamedAngles& candidate) { return candidate.first == other; });
        if (found == angles.end())
            throw Error("a pose without '{}' has no mirror image, since it has '{}'", other, name);
        const JointAngles& seen = found->second;
        result.emplace_back(name, other == name ? JointAngles(seen(0), -seen(1), -seen(2)) : seen);
    }
    return result;
}

}  // namespace tulle::body
