// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/joint_turns.h"
#include "tulle/scene/scene.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tulle::live {

// The joints of a scene's body that a person may turn: those of the mannequin, whose limits are known.
std::vector<body::Joint> turnable_joints(const scene::Scene& scene);

// Throws an Error if none of them has that name, or it does not turn so far [rad].
void require_turnable(const std::vector<body::Joint>& joints, const std::string& name, const body::JointAngles& angles);

// Joints that a person turns. They glide to where they are wanted: cloth could not follow a jump.
class JointGlide {
public:
    explicit JointGlide(scene::Scene& scene);  // whose body will follow

    // Angles [rad] beyond those of the clip. Throws an Error if it cannot be turned so.
    void want(const std::string& joint, const body::JointAngles& angles);
    const std::map<std::string, body::JointAngles>& wanted() const { return wanted_; }
    void advance(double time, double seconds);  // what happens in the frame that comes
    void restart();                             // from where the clip has them; what is wanted stays
    void go_on_from(const JointGlide& other);   // of the same body

private:
    std::vector<body::Joint> joints_;                  // in their order; empty: none can be turned
    std::shared_ptr<body::JointTurns> turns_;          // shared with the body of the scene, which only looks at them
    std::map<std::string, body::JointAngles> wanted_;  // [rad]
};

}  // namespace tulle::live
