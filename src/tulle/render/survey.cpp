// SPDX-License-Identifier: Apache-2.0
#include "tulle/render/survey.h"

#include "tulle/core/error.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace tulle::render {

namespace {

// Evenly spread directions, 3×n: a spiral from pole to pole.
Eigen::Matrix3Xd spread_directions(int count) {
    Eigen::Matrix3Xd directions(3, count);
    for (int i = 0; i < count; ++i) {
        const double z = 1 - (2 * i + 1.0) / count;
        const double angle = i * std::numbers::pi * (3 - std::sqrt(5.0));
        const double radius = std::sqrt(1 - z * z);
        directions.col(i) << radius * std::cos(angle), radius * std::sin(angle), z;
    }
    return directions;
}

Eigen::Matrix3Xd framing_directions() {
    Eigen::Matrix3Xd directions(3, 6 + 58);
    directions << Eigen::Matrix3d::Identity(), -Eigen::Matrix3d::Identity(), spread_directions(58);
    return directions;
}

Vector3 mean_normal(const Positions& positions, const Triangles& triangles) {
    Vector3 sum = Vector3::Zero();
    double area = 0;
    for (long t = 0; t < triangles.rows(); ++t) {
        const Vector3 origin = positions.row(triangles(t, 0));
        const Vector3 first = positions.row(triangles(t, 1)).transpose() - origin;
        const Vector3 second = positions.row(triangles(t, 2)).transpose() - origin;
        const Vector3 normal = first.cross(second);
        sum += normal;
        area += normal.norm();
    }
    return area > 0 ? Vector3(sum / area) : Vector3::Zero();
}

}  // namespace

void Extremes::add(const Positions& positions) {
    static const Eigen::Matrix3Xd directions = framing_directions();  // constant
    const bool is_first = points_.empty();
    if (is_first) points_.assign(static_cast<size_t>(directions.cols()), positions.row(0).transpose());
    for (long d = 0; d < directions.cols(); ++d) {
        Eigen::Index farthest = 0;
        const double reach = (positions * directions.col(d)).maxCoeff(&farthest);
        Vector3& point = points_[static_cast<size_t>(d)];
        if (reach > point.dot(directions.col(d))) point = positions.row(farthest).transpose();
    }
}

Vector3 Extremes::low() const {
    Vector3 corner = points_.front();
    for (const Vector3& point : points_) corner = corner.cwiseMin(point);
    return corner;
}

Vector3 Extremes::high() const {
    Vector3 corner = points_.front();
    for (const Vector3& point : points_) corner = corner.cwiseMax(point);
    return corner;
}

Survey::Survey(const std::vector<Panel>& panels) : panels_(panels) {
    if (panels.empty()) throw Error("there is nothing to draw; give at least one cloth");
    for (const Panel& panel : panels) {
        check_panel(panel);
        strains_.emplace_back(panel.cloth);
        colliders_.emplace_back(panel.colliders.size());
    }
}

void Survey::add(const std::vector<PanelFrame>& frames) {
    if (frames.size() != panels_.size())
        throw Error("{} frames were given at once for {} panels; give one for each", frames.size(), panels_.size());
    for (size_t p = 0; p < frames.size(); ++p) {
        const PanelFrame& frame = frames[p];
        check_frame(panels_[p], frame);
        if (frame_count_ == 0 && p == 0) facing_ = mean_normal(frame.positions, panels_[p].cloth.triangles);
        cloth_.add(frame.positions);
        for (size_t c = 0; c < panels_[p].colliders.size(); ++c)
            colliders_[p][c].add(collider_positions(panels_[p], frame, c));
        // The very worst vertex would set the scale for all the others.
        constexpr double shown_part = 0.995;
        largest_strain_ = std::max(largest_strain_, quantile(strains_[p].at_vertices(frame.positions), shown_part));
        largest_speed_ = std::max(largest_speed_, quantile(speeds(frame.velocities), shown_part));
        largest_value_ = std::max(largest_value_, quantile(frame.values, shown_part));
    }
    ++frame_count_;
}

}  // namespace tulle::render
