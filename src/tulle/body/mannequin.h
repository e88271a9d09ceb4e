// SPDX-License-Identifier: Apache-2.0
// The built-in body, 1.75 m tall, made by code. It stands at the origin with z up, looks along −y, and its left is +x;
// at rest its arms are held away from it.
#pragma once

#include "tulle/body/character.h"
#include "tulle/body/sweep.h"

#include <string>
#include <vector>

namespace tulle::body {

struct MannequinSettings {
    double edge_length = 0.034;  // [m] about; hands and feet are finer
};

Character make_mannequin(const MannequinSettings& settings = {});

Skeleton mannequin_skeleton();
std::vector<Clip> mannequin_clips(const Skeleton& skeleton);  // "dance" (8 s) and "walk" (in place, repeats)
const std::vector<std::string>& mannequin_upper_joints();     // the ten that a shirt feels
Vector3 mannequin_arm_direction();                            // of the left arm at rest, unit

// A piece of its surface, and the joints that carry it.
struct BodyPart {
    Sweep solid;
    double blend = 0;                 // [m] how widely it goes over into the parts before it
    std::vector<std::string> joints;  // each carries what is nearest to its bone
};
std::vector<BodyPart> mannequin_parts();

}  // namespace tulle::body
