// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tulle::methods {

// What a network sees of its piece of cloth, and in which terms it answers.
enum class Features {
    Canonical,        // the piece and its surroundings in canonical form; the answer is the difference to interpolation
    Motion,           // the same, and its shape one frame earlier; patches only
    Paper,            // absolute: three frames of a patch (miniature), or displacements from rest (hierarchy)
    PaperPositions,   // miniature, table 3: the current frame only
    PaperVelocities,  // miniature, table 3: positions and velocities of the current frame
};

// "canonical", "motion", "paper", "paper-positions", "paper-velocities"
std::string to_string(Features features);
Features parse_features(const std::string& name);
std::vector<std::string> feature_names();

// Whether a network sees its piece in canonical form (canonical.h): it turns and moves with the cloth, and the answer
// is the difference to interpolation.
inline bool is_canonical(Features features) { return features == Features::Canonical || features == Features::Motion; }

// Frames of the coarse cloth that such features are made of.
int frames_seen(Features features);

}  // namespace tulle::methods
