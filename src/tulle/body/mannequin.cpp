// SPDX-License-Identifier: Apache-2.0
#include "tulle/body/mannequin.h"

#include "tulle/body/skin_weights.h"
#include "tulle/geometry/remesh.h"
#include "tulle/geometry/surface_nets.h"

#include <algorithm>

namespace tulle::body {

namespace {

double distance_to_all(const std::vector<BodyPart>& parts, const Vector3& point) {
    double distance = parts.front().solid.distance(point);
    for (size_t i = 1; i < parts.size(); ++i)
        if (parts[i].solid.nearest_possible(point) < distance + parts[i].blend)
            distance = smooth_union(distance, parts[i].solid.distance(point), parts[i].blend);
    return distance;
}

double segment_distance(const Vector3& point, const Vector3& start, const Vector3& end) {
    const Vector3 along = end - start;
    const double s = std::clamp((point - start).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (point - start - s * along).norm();
}

// From each joint to the next one down its chain; the last of a chain is only a point.
struct Bones {
    std::vector<Vector3> starts, ends;

    explicit Bones(const Skeleton& skeleton) {
        for (const Eigen::Affine3d& placed : skeleton.place(skeleton.rest_pose()))
            starts.push_back(placed.translation());
        for (size_t j = 0; j < starts.size(); ++j) ends.emplace_back(starts[j] + 1e-6 * Vector3::UnitZ());
        for (const auto& [from, to] : {std::pair{"pelvis", "waist"},
                                       {"waist", "spine"},
                                       {"spine", "chest"},
                                       {"chest", "neck"},
                                       {"left_shoulder", "left_elbow"},
                                       {"left_elbow", "left_wrist"},
                                       {"right_shoulder", "right_elbow"},
                                       {"right_elbow", "right_wrist"},
                                       {"left_hip", "left_knee"},
                                       {"left_knee", "left_ankle"},
                                       {"right_hip", "right_knee"},
                                       {"right_knee", "right_ankle"}})
            ends[static_cast<size_t>(skeleton.find(from))] = starts[static_cast<size_t>(skeleton.find(to))];
    }
};

// [m] from the hands and the feet, roughly.
double hand_distance(const Vector3& point) {
    const Vector3 wrist = Vector3(0.172, 0.012, 1.395) + 0.56 * mannequin_arm_direction();
    const Vector3 left(std::abs(point.x()), point.y(), point.z());
    return std::max(0.0, -(left - wrist).dot(mannequin_arm_direction()));
}
double foot_distance(const Vector3& point) { return std::max(0.0, point.z() - 0.05); }

// Legs begin at the groin, and higher at the sides.
bool is_below_groin(const Vector3& point) { return point.z() < 0.835 + 0.5 * std::abs(point.x()); }

// The part whose surface is nearest, and of its joints the one whose bone is nearest.
std::vector<int> memberships(const Positions& positions, const std::vector<BodyPart>& parts, const Skeleton& skeleton) {
    const Bones bones(skeleton);
    const int pelvis = skeleton.find("pelvis");
    std::vector<int> joint_of;
    for (const auto& row : positions.rowwise()) {
        const Vector3 point = row;
        const BodyPart& part = *std::min_element(parts.begin(), parts.end(), [&](const BodyPart& a, const BodyPart& b) {
            return a.solid.distance(point) < b.solid.distance(point);
        });
        int nearest = -1;
        double nearest_distance = 1e9;
        for (const std::string& name : part.joints) {
            const auto joint = static_cast<size_t>(skeleton.find(name));
            const double distance = segment_distance(point, bones.starts[joint], bones.ends[joint]);
            if (distance >= nearest_distance) continue;
            nearest_distance = distance;
            nearest = static_cast<int>(joint);
        }
        const bool is_leg = nearest == pelvis && is_below_groin(point);
        joint_of.push_back(is_leg ? skeleton.find(point.x() > 0 ? "left_hip" : "right_hip") : nearest);
    }
    return joint_of;
}

geometry::TriangleMesh mannequin_surface(const std::vector<BodyPart>& parts, double edge) {
    const geometry::Implicit implicit = [&](const Vector3& point) { return distance_to_all(parts, point); };
    const Eigen::AlignedBox3d bounds(Vector3(-0.85, -0.3, -0.06), Vector3(0.85, 0.25, 1.82));
    const double finest = 0.4 * edge;  // where it is thin
    const auto length_at = [&](const Vector3& point) {
        const double to_detail = std::min({hand_distance(point), foot_distance(point)});
        return std::clamp(finest + 0.2 * to_detail, finest, edge);
    };
    return geometry::remesh(geometry::surface_nets(implicit, bounds, {.spacing = finest, .relaxations = 3}),
                            {.edge_length = length_at, .to_surface = [&](const Vector3& point) {
                                 return geometry::drawn_to_surface(implicit, point, 0.5 * finest);
                             }});
}

// Wide where much flesh moves, narrow at limbs.
VectorX weight_spreads(const Positions& positions) {
    VectorX spread(positions.rows());
    for (long v = 0; v < spread.size(); ++v) {
        const double x = std::abs(positions(v, 0)), z = positions(v, 2);
        const bool is_limb = z < 0.75 || x > 0.25 || z > 1.5;
        spread(v) = is_limb ? 0.035 : 0.06;
    }
    return spread;
}

}  // namespace

Character make_mannequin(const MannequinSettings& settings) {
    const std::vector<BodyPart> parts = mannequin_parts();
    geometry::TriangleMesh surface = mannequin_surface(parts, settings.edge_length);
    Character mannequin;
    mannequin.name = "mannequin";
    mannequin.skeleton = mannequin_skeleton();
    mannequin.triangles = surface.triangles;
    mannequin.skinning = Skinning::DualQuaternions;
    SkinInfluences influences =
        spread_weights(surface.positions, surface.triangles, memberships(surface.positions, parts, mannequin.skeleton),
                       mannequin.skeleton.joint_count(), weight_spreads(surface.positions));
    mannequin.skin = {std::move(surface.positions), std::move(influences.joints), std::move(influences.weights),
                      inverse_binds_at_rest(mannequin.skeleton)};
    mannequin.clips = mannequin_clips(mannequin.skeleton);
    return mannequin;
}

}  // namespace tulle::body
