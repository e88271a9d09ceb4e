// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/clip.h"

#include <algorithm>
#include <cmath>

namespace tulle::body {

namespace {

using Value = Eigen::Vector4d;

Value value_of_key(const Track& track, size_t key) {
    return track.interpolation == TrackInterpolation::Cubic ? track.values[3 * key + 1] : track.values[key];
}

Value slerp(const Value& a, const Value& b, double s) {
    return Eigen::Quaterniond(a).slerp(s, Eigen::Quaterniond(b)).coeffs();
}

// glTF 2.0, appendix C: tangents are scaled by the time between the keys.
Value hermite(const Track& track, size_t key, double s, double length) {
    const Value& p0 = track.values[3 * key + 1];
    const Value& m0 = track.values[3 * key + 2];
    const Value& m1 = track.values[3 * key + 3];
    const Value& p1 = track.values[3 * key + 4];
    const double s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * p0 + length * (s3 - 2 * s2 + s) * m0 + (3 * s2 - 2 * s3) * p1 +
           length * (s3 - s2) * m1;
}

Value between(const Track& track, size_t key, double time) {
    const double length = track.times[key + 1] - track.times[key];
    const double s = (time - track.times[key]) / length;
    switch (track.interpolation) {
        case TrackInterpolation::Step:
            return track.values[key];
        case TrackInterpolation::Cubic:
            return hermite(track, key, s, length);
        case TrackInterpolation::Linear:
            break;
    }
    if (track.path == TrackPath::Rotation) return slerp(track.values[key], track.values[key + 1], s);
    return (1 - s) * track.values[key] + s * track.values[key + 1];
}

Value sample(const Track& track, double time) {
    const auto next = std::upper_bound(track.times.begin(), track.times.end(), time) - track.times.begin();
    if (next == 0) return value_of_key(track, 0);
    const auto key = static_cast<size_t>(next - 1);
    return key + 1 == track.times.size() ? value_of_key(track, key) : between(track, key, time);
}

void apply(const Track& track, const Value& value, JointTransform& transform) {
    switch (track.path) {
        case TrackPath::Translation:
            transform.translation = value.head<3>();
            break;
        case TrackPath::Rotation:
            transform.rotation = Eigen::Quaterniond(value).normalized();
            break;
        case TrackPath::Scale:
            transform.scale = value.head<3>();
            break;
    }
}

}  // namespace

Pose Clip::at(const Skeleton& skeleton, double time) const {
    Pose pose = skeleton.rest_pose();
    for (const Track& track : tracks) apply(track, sample(track, time), pose[static_cast<size_t>(track.joint)]);
    return pose;
}

Pose Clip::repeated_at(const Skeleton& skeleton, double time) const {
    return at(skeleton, duration > 0 ? time - duration * std::floor(time / duration) : time);
}

}  // namespace tulle::body
