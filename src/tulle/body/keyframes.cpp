// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/keyframes.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>

namespace tulle::body {

namespace {

constexpr double sample_rate = 60;  // [1/s] of the tracks, between which rotations are turned evenly

// A curve through points, smooth where it passes them.
class Curve {
public:
    explicit Curve(bool is_closed) : is_closed_(is_closed) {}

    void add(double time, const Vector3& value) {
        times_.push_back(time);
        values_.push_back(value);
    }

    Vector3 at(double time) const {
        const auto next = static_cast<size_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin());
        if (next == 0) return values_.front();
        if (next == times_.size()) return values_.back();
        const size_t k = next - 1;
        const double length = times_[next] - times_[k], s = (time - times_[k]) / length, s2 = s * s, s3 = s2 * s;
        return (2 * s3 - 3 * s2 + 1) * values_[k] + length * (s3 - 2 * s2 + s) * slope(k) +
               (3 * s2 - 2 * s3) * values_[next] + length * (s3 - s2) * slope(next);
    }

private:
    Vector3 slope(size_t k) const {
        const size_t last = times_.size() - 1;
        if (k > 0 && k < last) return (values_[k + 1] - values_[k - 1]) / (times_[k + 1] - times_[k - 1]);
        if (!is_closed_ || last == 0) return Vector3::Zero();
        return (values_[1] - values_[last - 1]) / (times_[1] - times_[0] + times_[last] - times_[last - 1]);
    }

    std::vector<double> times_;
    std::vector<Vector3> values_;
    bool is_closed_;
};

std::vector<double> sample_times(double duration) {
    const int steps = std::max(1, static_cast<int>(std::ceil(duration * sample_rate)));
    std::vector<double> times;
    for (int i = 0; i <= steps; ++i) times.push_back(duration * i / steps);
    return times;
}

Track rotation_track(const Joint& joint, int index, const Curve& curve, const std::vector<double>& times) {
    Track track{.joint = index, .path = TrackPath::Rotation, .times = times, .values = {}};
    for (const double time : times)
        track.values.emplace_back((joint.rest.rotation * joint_rotation(joint, curve.at(time))).coeffs());
    return track;
}

}  // namespace

Clip make_clip(const Skeleton& skeleton, const Keyframes& keyframes) {
    assert(!keyframes.keys.empty() && !skeleton.joints.empty());
    std::map<int, Curve> curves;
    Curve path(keyframes.is_closed);
    for (const Keyframe& key : keyframes.keys) {
        for (const auto& [name, angles] : key.angles) {
            const int joint = skeleton.find(name);
            if (joint < 0) throw Error("the clip '{}' turns a joint '{}', which is not there", keyframes.name, name);
            curves.try_emplace(joint, keyframes.is_closed).first->second.add(key.time, angles);
        }
        path.add(key.time, key.root_translation);
    }
    Clip clip{.name = keyframes.name, .duration = keyframes.keys.back().time, .tracks = {}};
    const std::vector<double> times = sample_times(clip.duration);
    for (const auto& [joint, curve] : curves)
        clip.tracks.push_back(rotation_track(skeleton.joints[static_cast<size_t>(joint)], joint, curve, times));
    Track translation{.joint = 0, .path = TrackPath::Translation, .times = times, .values = {}};
    for (const double time : times) {
        const Vector3 place = skeleton.joints.front().rest.translation + path.at(time);
        translation.values.emplace_back(place.x(), place.y(), place.z(), 0);
    }
    clip.tracks.push_back(std::move(translation));
    return clip;
}

Clip make_reach(const Skeleton& skeleton, const std::vector<NamedAngles>& angles, double duration) {
    Keyframe rest, reached{.time = duration, .angles = angles};
    for (const auto& [name, value] : angles) rest.angles.emplace_back(name, JointAngles::Zero());
    Keyframes keyframes{.name = "pose", .keys = {rest}, .is_closed = false};
    if (duration > 0)
        keyframes.keys.push_back(reached);
    else
        keyframes.keys = {reached};
    return make_clip(skeleton, keyframes);
}

Pose blend(const Pose& from, const Pose& to, double part) {
    assert(from.size() == to.size());
    Pose pose = from;
    for (size_t j = 0; j < pose.size(); ++j) {
        pose[j].translation += part * (to[j].translation - from[j].translation);
        pose[j].rotation = from[j].rotation.slerp(part, to[j].rotation);
        pose[j].scale += part * (to[j].scale - from[j].scale);
    }
    return pose;
}

}  // namespace tulle::body
