// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/sweep.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace tulle::body {

namespace {

using Numbers = Eigen::Matrix<double, 4, 1>;

Numbers numbers_of(const Station& s) { return {s.wide, s.deep, s.wide_offset, s.deep_offset}; }

}  // namespace

Sweep::Sweep(const Frame& frame, std::vector<Station> stations, double start_cap, double end_cap, double squareness)
    : frame_(frame),
      depth_(frame.axis.cross(frame.width)),
      stations_(std::move(stations)),
      start_cap_(start_cap),
      end_cap_(end_cap),
      squareness_(squareness) {
    const double first = stations_.front().along - start_cap, last = stations_.back().along + end_cap;
    double widest = 0;
    for (const Station& s : stations_)
        widest = std::max({widest, s.wide + std::abs(s.wide_offset), s.deep + std::abs(s.deep_offset)});
    center_ = frame_.origin + 0.5 * (first + last) * frame_.axis;
    radius_ = std::hypot(0.5 * (last - first), 1.5 * widest);
}

double Sweep::nearest_possible(const Vector3& point) const { return (point - center_).norm() - radius_; }

// A cubic with the slopes of its neighbours, also where stations are unevenly spaced.
Station Sweep::section(double along) const {
    const auto last = static_cast<long>(stations_.size()) - 1;
    const auto above = std::upper_bound(stations_.begin(), stations_.end(), along,
                                        [](double value, const Station& s) { return value < s.along; });
    const long k = std::clamp(static_cast<long>(above - stations_.begin()) - 1, 0L, last - 1);
    const auto at = [&](long i) -> const Station& { return stations_[static_cast<size_t>(i)]; };
    const auto slope = [&](long i) -> Numbers {
        const long a = std::max(i - 1, 0L), b = std::min(i + 1, last);
        return (numbers_of(at(b)) - numbers_of(at(a))) / (at(b).along - at(a).along);
    };
    const double length = at(k + 1).along - at(k).along;
    const double s = std::clamp((along - at(k).along) / length, 0.0, 1.0), s2 = s * s, s3 = s2 * s;
    const Numbers n = (2 * s3 - 3 * s2 + 1) * numbers_of(at(k)) + length * (s3 - 2 * s2 + s) * slope(k) +
                      (3 * s2 - 2 * s3) * numbers_of(at(k + 1)) + length * (s3 - s2) * slope(k + 1);
    return {.along = along, .wide = n(0), .deep = n(1), .wide_offset = n(2), .deep_offset = n(3)};
}

// With k = (|x/a|ⁿ + |y/b|ⁿ + |z/c|ⁿ)^(1/n), which is 1 on the surface, the distance is about (k − 1)/|∇k|.
double Sweep::distance(const Vector3& point) const {
    const Vector3 offset = point - frame_.origin;
    const double along = offset.dot(frame_.axis);
    const double first = stations_.front().along, last = stations_.back().along;
    const Station s = section(std::clamp(along, first, last));
    const Vector3 local = {offset.dot(frame_.width) - s.wide_offset, offset.dot(depth_) - s.deep_offset,
                           std::max({first - along, along - last, 0.0})};
    const Vector3 radii = {s.wide, s.deep, along < first ? start_cap_ : end_cap_};
    const double n = squareness_;
    if (n == 2) {
        const Eigen::Array3d relative = local.array() / radii.array();
        const double k = relative.matrix().norm();
        return k < 1e-9 ? -radii.minCoeff() : (k - 1) * k / (relative / radii.array()).matrix().norm();
    }
    const Eigen::Array3d relative = (local.array() / radii.array()).abs();
    const double k = std::pow(relative.pow(n).sum(), 1 / n);
    if (k < 1e-9) return -radii.minCoeff();
    const double slope = ((relative / k).pow(n - 1) / radii.array()).matrix().norm();
    return (k - 1) / slope;
}

Sweep Sweep::mirrored() const {
    const auto mirror = [](const Vector3& v) { return Vector3(-v.x(), v.y(), v.z()); };
    Sweep other = *this;
    other.frame_ = {mirror(frame_.origin), mirror(frame_.axis), mirror(frame_.width)};
    other.depth_ = mirror(depth_);
    other.center_ = mirror(center_);
    return other;
}

double smooth_union(double a, double b, double blend) {
    const double h = std::max(blend - std::abs(a - b), 0.0) / blend;
    return std::min(a, b) - h * h * h * blend / 6;
}

}  // namespace tulle::body
