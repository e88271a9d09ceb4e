// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/random_angles.h"

#include "tulle/core/error.h"
#include "tulle/core/random.h"

namespace tulle::body {

std::vector<NamedAngles> random_angles(const Skeleton& skeleton, const std::vector<std::string>& joints,
                                       std::uint64_t seed, double within) {
    Random random(seed);
    std::vector<NamedAngles> angles;
    for (const std::string& name : joints) {
        const int joint = skeleton.find(name);
        if (joint < 0) throw Error("the skeleton has no joint '{}'", name);
        const JointLimits& limits = skeleton.joints[static_cast<size_t>(joint)].limits;
        JointAngles drawn;
        for (int k = 0; k < 3; ++k) drawn(k) = within * random.uniform(limits.low(k), limits.high(k));
        angles.emplace_back(name, drawn);
    }
    return angles;
}

}  // namespace tulle::body
