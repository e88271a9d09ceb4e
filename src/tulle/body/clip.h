// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/body/skeleton.h"

#include <string>
#include <vector>

namespace tulle::body {

// What a track changes of its joint.
enum class TrackPath { Translation, Rotation, Scale };

// How it goes from key to key. Cubic is glTF's: a Hermite spline through the keys with a tangent on either side.
enum class TrackInterpolation { Step, Linear, Cubic };

// One part of one joint's transform over time. Held before its first key and after its last.
struct Track {
    int joint = 0;
    TrackPath path = TrackPath::Rotation;
    TrackInterpolation interpolation = TrackInterpolation::Linear;  // of rotations: along the shortest arc (slerp)
    std::vector<double> times;                                      // [s], ascending, at least one
    std::vector<Eigen::Vector4d> values;  // one a key: x, y, z (of rotations also w); for Cubic three: in-tangent,
                                          // value, out-tangent
};

// A motion of a skeleton.
struct Clip {
    std::string name;
    double duration = 0;  // [s]
    std::vector<Track> tracks;

    // The pose at a time; joints without a track stay where they rest.
    Pose at(const Skeleton& skeleton, double time) const;
    // The same with the clip repeated over and over.
    Pose repeated_at(const Skeleton& skeleton, double time) const;
};

}  // namespace tulle::body
