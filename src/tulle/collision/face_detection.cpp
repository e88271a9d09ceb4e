// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/face_detection.h"

#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

constexpr int most_advances = 200;   // on the way to a first contact
constexpr double precision = 0.001;  // of the thickness, of the deepest point: its normal is less precise
constexpr double most_stretch = 2;   // of edges, beyond which no short cut is taken
constexpr double thinnest = 2e-4;    // [m] in place of a thickness that is less

Corners gather(const std::array<int, 3>& vertices, const Positions& positions) {
    return {positions.row(vertices[0]), positions.row(vertices[1]), positions.row(vertices[2])};
}

template <typename Map>
Corners mapped(const Corners& corners, const Map& map) {
    return {map(corners[0]), map(corners[1]), map(corners[2])};
}

Vector3 weighted(const std::array<double, 3>& w, const Corners& x) { return w[0] * x[0] + w[1] * x[1] + w[2] * x[2]; }

double longest_way(const Corners& start, const Corners& end) {
    double squared = 0;
    for (size_t i = 0; i < 3; ++i) squared = std::max(squared, (end[i] - start[i]).squaredNorm());
    return std::sqrt(squared);
}

// For a convex solid a plane has said all; others are asked where the plane may have missed something.
bool sides_are_clear(const Shape& shape, const Corners& corners, double wanted) {
    if (shape.is_convex()) return true;
    for (size_t i = 0; i < 3; ++i)
        if (shape.distance(0.5 * (corners[i] + corners[(i + 1) % 3])) < wanted) return false;
    return true;
}

// Where a face that moves straight first comes near a solid that stands still. The distance never changes faster than
// the fastest corner moves, so time may advance by it. Nothing if the face starts in the solid.
std::optional<DeepestPoint> first_approach(const Shape& shape, const Corners& start, const Corners& end, double way,
                                           double wanted, double precise) {
    constexpr double everywhere = std::numeric_limits<double>::infinity();
    double level = 0;
    double time = 0;
    for (int i = 0; i < most_advances && time < 1; ++i) {
        Corners now;
        for (size_t k = 0; k < 3; ++k) now[k] = start[k] + time * (end[k] - start[k]);
        const std::optional<DeepestPoint> deepest = deepest_point(shape, now, everywhere, precise);
        const double distance = deepest->surface.distance;
        if (i == 0) {
            if (distance <= 0) return std::nullopt;
            level = 0.5 * std::min(wanted, distance);
        } else if (distance <= level) {
            return deepest;
        }
        time += std::max(distance - 0.5 * level, precise) / way;
    }
    return std::nullopt;
}

}  // namespace

FaceDetection::FaceDetection(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses)
    : triangles_(triangles) {
    for (const auto face : triangles.rowwise())
        for (int i = 0; i < 3; ++i)
            longest_edge_ =
                std::max(longest_edge_, (rest_positions.row(face(i)) - rest_positions.row(face((i + 1) % 3))).norm());
    std::vector<std::vector<int>> faces(static_cast<size_t>(inverse_masses.size()));
    for (int face = 0; face < static_cast<int>(triangles.rows()); ++face) {
        bool moves = false;
        for (const int v : vertices(face)) {
            faces[static_cast<size_t>(v)].push_back(face);
            moves |= inverse_masses(v) > 0;
        }
        if (moves) all_.push_back(face);
    }
    first_face_.push_back(0);
    for (const std::vector<int>& of_vertex : faces) {
        faces_of_vertex_.insert(faces_of_vertex_.end(), of_vertex.begin(), of_vertex.end());
        first_face_.push_back(static_cast<int>(faces_of_vertex_.size()));
    }
}

std::vector<int> FaceDetection::faces_of(std::span<const int> vertices) const {
    std::vector<int> faces;
    for (const int v : vertices)
        for (int k = first_face_[static_cast<size_t>(v)]; k < first_face_[static_cast<size_t>(v) + 1]; ++k)
            faces.push_back(faces_of_vertex_[static_cast<size_t>(k)]);
    std::sort(faces.begin(), faces.end());
    faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
    return faces;
}

// Faces with a corner from which a collider can be reached.
std::vector<int> FaceDetection::near_faces(const ColliderResponse& colliders, const Positions& start,
                                           const Positions& end) const {
    std::vector<char> near(static_cast<size_t>(end.rows()), 0);
    parallel_ranges(end.rows(), [&](long first, long last) {
        std::vector<int> found;
        for (long v = first; v < last; ++v) {
            const Vector3 from = start.row(v), to = end.row(v);
            // The farthest point of a face from its corners is nearer than this to one of them.
            const double reach = longest_edge_ * most_stretch / std::sqrt(3.0);
            Eigen::AlignedBox3d box(from);
            box.extend(to);
            colliders.colliders().find_near({Vector3(box.min().array() - reach), Vector3(box.max().array() + reach)},
                                            found);
            near[static_cast<size_t>(v)] = std::any_of(found.begin(), found.end(), [&](int index) {
                const MovingCollider& moving = colliders.colliders()[static_cast<size_t>(index)];
                if (moving.collider().law == ContactLaw::Velocity) return false;
                if (moving.deforming()) return true;
                const Vector3 seen = moving.end_seen(to);
                const double way = (seen - moving.start_seen(from)).norm();
                return moving.shape().distance(seen) < moving.collider().thickness + reach + way;
            });
        }
    });
    std::vector<int> faces;
    for (const int face : all_) {
        const auto [a, b, c] = vertices(face);
        bool is_near =
            (near[static_cast<size_t>(a)] | near[static_cast<size_t>(b)] | near[static_cast<size_t>(c)]) != 0;
        if (!is_near) {  // overstretched
            const double limit = most_stretch * most_stretch * longest_edge_ * longest_edge_;
            is_near = (end.row(a) - end.row(b)).squaredNorm() > limit ||
                      (end.row(b) - end.row(c)).squaredNorm() > limit ||
                      (end.row(c) - end.row(a)).squaredNorm() > limit;
        }
        if (is_near) faces.push_back(face);
    }
    return faces;
}

// In the order of faces, and of colliders for each.
std::vector<FaceTouch> FaceDetection::find(const ColliderResponse& colliders, const Positions& start,
                                           const Positions& end, const std::vector<int>& faces,
                                           const FaceDemand& demand) const {
    std::vector<FaceTouch> found;
    parallel_ranges(static_cast<long>(faces.size()), [&](long first, long last) {
        std::vector<FaceTouch> own;
        std::vector<int> near;
        for (long i = first; i < last; ++i) {
            const int face = faces[static_cast<size_t>(i)];
            const Corners from = gather(vertices(face), start), to = gather(vertices(face), end);
            Eigen::AlignedBox3d box;
            for (size_t k = 0; k < 3; ++k) box.extend(from[k]).extend(to[k]);
            colliders.colliders().find_near(box, near);
            for (const int index : near) {
                const MovingCollider& moving = colliders.colliders()[static_cast<size_t>(index)];
                if (moving.collider().law == ContactLaw::Velocity) continue;
                std::optional<FaceTouch> touch = examine(moving, from, to, demand);
                if (!touch) continue;
                touch->face = face;
                touch->collider = index;
                own.push_back(*touch);
            }
        }
#pragma omp critical(tulle_face_contact)
        found.insert(found.end(), own.begin(), own.end());
    });
    std::sort(found.begin(), found.end(), [](const FaceTouch& a, const FaceTouch& b) {
        return std::pair(a.face, a.collider) < std::pair(b.face, b.collider);
    });
    return found;
}

std::optional<FaceTouch> FaceDetection::examine(const MovingCollider& moving, const Corners& start, const Corners& end,
                                                const FaceDemand& demand) const {
    const Shape& shape = moving.shape();
    const double thickness = std::max(moving.collider().thickness, thinnest);
    const double wanted = demand.at_least * thickness;
    const Corners to = mapped(end, [&](const Vector3& x) { return moving.end_seen(x); });
    const Vector3 center = weighted({1.0 / 3, 1.0 / 3, 1.0 / 3}, to);
    double radius = 0;
    for (const Vector3& corner : to) radius = std::max(radius, (corner - center).norm());
    const double bound = moving.deforming() ? moving.deforming()->longest_way() : 0;
    const double distance = shape.distance(center);
    // A deforming mesh is asked as seldom as possible where things were before.
    if (moving.deforming() && distance >= wanted + radius + bound + longest_way(start, end)) return std::nullopt;
    const Corners from = mapped(start, [&](const Vector3& x) { return moving.start_seen(x); });
    const double way = longest_way(from, to);
    if (distance >= wanted + radius + way) return std::nullopt;

    const auto touch_at = [&](const DeepestPoint& deepest) -> std::optional<FaceTouch> {
        const Support on = moving.support(deepest.place, deepest.surface, demand.pushed_to * thickness);
        if (on.normal.dot(weighted(deepest.weights, end)) >= on.offset - 1e-9) return std::nullopt;
        return FaceTouch{.weights = deepest.weights, .support = on};
    };
    const double precise = precision * thickness;
    const SurfacePoint surface = shape.surface(center);
    const bool ends_clear = plane_separates(surface, center, to, wanted) && sides_are_clear(shape, to, wanted);
    if (way > FaceDemand{}.at_least * thickness) {
        const bool starts_clear = plane_separates(surface, center, from, 0.5 * wanted);
        // What is not convex may have something between two places only if they are far apart.
        if (ends_clear && starts_clear && (shape.is_convex() || way < radius)) return std::nullopt;
        if (const auto first = first_approach(shape, from, to, way, FaceDemand{}.at_least * thickness, precise))
            if (const auto touch = touch_at(*first)) return touch;
    }
    if (ends_clear) return std::nullopt;
    const std::optional<DeepestPoint> deepest = deepest_point(shape, to, wanted, precise);
    return deepest ? touch_at(*deepest) : std::nullopt;
}

}  // namespace tulle::collision
