// SPDX-License-Identifier: Apache-2.0
#include "tulle/collision/collider_forces.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tulle::collision {

namespace {

Vector3 weighted(const HeldPoint& point, const Positions& x) {
    Vector3 sum = Vector3::Zero();
    for (size_t i = 0; i < 3; ++i) sum += point.weights[i] * x.row(point.vertices[i]).transpose();
    return sum;
}

bool by_part(const HeldPoint& a, const HeldPoint& b) {
    return std::pair(a.part, a.collider) < std::pair(b.part, b.collider);
}

constexpr size_t numbers_per_point = 12;
constexpr double as_deep = 0.1;  // of the thickness, by which places of a face may differ and count as equally deep
// Of the thickness: a body that deforms is many triangles to look through, and until a vertex has moved this far, the
// plane that it was seen to rest on is as good.
constexpr double as_near = 0.2;

}  // namespace

ColliderForces::ColliderForces(const Positions& rest_positions, const Triangles& triangles,
                               const VectorX& inverse_masses)
    : faces_(rest_positions, triangles, inverse_masses), inverse_masses_(inverse_masses) {}

void ColliderForces::find(const ColliderResponse& colliders, const Positions& start, const Positions& end) {
    std::vector<HeldPoint> found;
    parallel_ranges(end.rows(), [&](long first, long last) {
        std::vector<HeldPoint> own;
        std::vector<int> near;
        for (int v = static_cast<int>(first); v < last; ++v) {
            if (inverse_masses_(v) == 0) continue;
            const Vector3 place = end.row(v);
            colliders.colliders().find_near(Eigen::AlignedBox3d(place), near);
            for (const int index : near) {
                const MovingCollider& moving = colliders.colliders()[static_cast<size_t>(index)];
                if (moving.collider().law == ContactLaw::Velocity) continue;
                if (moving.shape().distance(moving.end_seen(place)) < moving.collider().thickness)
                    own.push_back({.part = v, .collider = index, .vertices = {v, v, v}, .weights = {1, 0, 0}});
            }
        }
#pragma omp critical(tulle_collider_forces)
        found.insert(found.end(), own.begin(), own.end());
    });
    for (const FaceTouch& touch : faces_.find(colliders, start, end, faces_.near_faces(colliders, start, end), {}))
        found.push_back({.part = -1 - touch.face,
                         .collider = touch.collider,
                         .vertices = faces_.vertices(touch.face),
                         .weights = touch.weights});
    std::sort(found.begin(), found.end(), by_part);
    std::vector<HeldPoint> all;
    std::set_union(held_.begin(), held_.end(), found.begin(), found.end(), std::back_inserter(all), by_part);
    held_ = std::move(all);
}

Positions ColliderForces::correct(const ColliderResponse& colliders, const Positions& start, const Positions& end,
                                  const Give& give) {
    parallel_for(static_cast<long>(held_.size()),
                 [&](long i) { look_again(colliders, end, held_[static_cast<size_t>(i)]); });
    std::vector<int> shares(static_cast<size_t>(end.rows()), 0);  // points that a vertex takes part in
    Positions pressed = Positions::Zero(end.rows(), 3);
    for (const HeldPoint& point : held_)
        for (size_t i = 0; i < 3; ++i) {
            if (!(point.weights[i] > 0)) continue;
            const int v = point.vertices[i];
            const int share = ++shares[static_cast<size_t>(v)];
            pressed.row(v) += (point.support.normal.transpose() - pressed.row(v)) / share;  // the mean so far
        }
    std::vector<std::array<double, 3>> gives(held_.size());  // [m/N] of the vertices of each point, along its normal
    parallel_for(static_cast<long>(held_.size()), [&](long index) {
        const HeldPoint& point = held_[static_cast<size_t>(index)];
        for (size_t i = 0; i < 3; ++i)
            gives[static_cast<size_t>(index)][i] =
                point.weights[i] == 0 ? 0 : give(point.vertices[i], point.support.normal, pressed);
    });
    const double square = colliders.dt() * colliders.dt();
    Positions moved = end;
    for (size_t index = 0; index < held_.size(); ++index) {
        HeldPoint& point = held_[index];
        double across = 0, alone = 0;  // [m/N] of the point: along its normal, and if nothing holds its vertices
        for (size_t i = 0; i < 3; ++i) {
            const int v = point.vertices[i];
            const double share = point.weights[i] * point.weights[i] * shares[static_cast<size_t>(v)];
            across += share * gives[index][i];
            alone += share * square * inverse_masses_(v);
        }
        if (across == 0) continue;  // nothing but pinned vertices
        const double before = point.pressure;
        press(start, end, 1 / across, point);
        rub(start, end, 1 / alone, colliders.colliders()[static_cast<size_t>(point.collider)].collider().friction,
            point);
        const Vector3 change = (point.pressure - before) * point.support.normal;
        for (size_t i = 0; i < 3; ++i)
            moved.row(point.vertices[i]) += point.weights[i] * gives[index][i] * change.transpose();
    }
    return moved;
}

void ColliderForces::let_go() {
    std::erase_if(held_, [](const HeldPoint& point) { return point.pressure == 0; });
    for (HeldPoint& point : held_) point.seen_from.reset();
}

// Where the collider is nearest now.
void ColliderForces::look_again(const ColliderResponse& colliders, const Positions& end, HeldPoint& point) const {
    const MovingCollider& moving = colliders.colliders()[static_cast<size_t>(point.collider)];
    const double thickness = moving.collider().thickness;
    if (point.part >= 0) {
        const Vector3 seen = moving.end_seen(end.row(point.part));
        const bool is_near = point.seen_from && (seen - *point.seen_from).norm() < as_near * thickness;
        if (moving.deforming() && is_near) return;
        point.support = moving.support(seen, moving.shape().surface(seen), thickness);
        point.seen_from = seen;
        return;
    }
    Corners corners;
    for (size_t i = 0; i < 3; ++i) corners[i] = moving.end_seen(end.row(point.vertices[i]));
    constexpr double everywhere = std::numeric_limits<double>::infinity();
    DeepestPoint deepest = *deepest_point(moving.shape(), corners, everywhere, 0.001 * thickness);
    // On a straight edge many places are equally deep: the force must not jump from one to another.
    const Vector3 earlier =
        point.weights[0] * corners[0] + point.weights[1] * corners[1] + point.weights[2] * corners[2];
    const SurfacePoint seen_earlier = moving.shape().surface(earlier);
    if (seen_earlier.distance < deepest.surface.distance + as_deep * thickness)
        deepest = {point.weights, earlier, seen_earlier};
    point.weights = deepest.weights;
    point.support = moving.support(deepest.place, deepest.surface, FaceDemand{}.pushed_to * thickness);
}

void ColliderForces::press(const Positions& start, const Positions& end, double stiffness, HeldPoint& point) {
    const Vector3& normal = point.support.normal;
    // What is too deep already must not get deeper. To lift it out within the step would throw it up, at its depth by
    // Δt.
    const double goal = std::min(point.support.offset, normal.dot(weighted(point, start) + point.support.carried));
    point.pressure = std::max(0.0, point.pressure + stiffness * (goal - normal.dot(weighted(point, end))));
}

// Coulomb: what would slip is held, as far as the pressure allows.
void ColliderForces::rub(const Positions& start, const Positions& end, double stiffness, double coefficient,
                         HeldPoint& point) {
    point.friction -= stiffness * (weighted(point, end) - weighted(point, start) - point.support.carried);
    point.friction -= point.support.normal.dot(point.friction) * point.support.normal;
    const double length = point.friction.norm(), most = coefficient * point.pressure;
    if (length > most) point.friction *= most / length;
}

Forces ColliderForces::forces() const {
    Forces forces = Forces::Zero(inverse_masses_.size(), 3);
    for (const HeldPoint& point : held_)
        for (size_t i = 0; i < 3; ++i)
            forces.row(point.vertices[i]) +=
                point.weights[i] * (point.pressure * point.support.normal + point.friction).transpose();
    return forces;
}

// Part, collider, weights, normal, pressure, friction.
std::vector<double> ColliderForces::to_numbers() const {
    std::vector<double> numbers;
    for (const HeldPoint& point : held_) {
        const Vector3 &n = point.support.normal, &f = point.friction;
        numbers.insert(numbers.end(),
                       {static_cast<double>(point.part), static_cast<double>(point.collider), point.weights[0],
                        point.weights[1], point.weights[2], n.x(), n.y(), n.z(), point.pressure, f.x(), f.y(), f.z()});
    }
    return numbers;
}

void ColliderForces::from_numbers(std::span<const double> numbers, size_t collider_count) {
    const auto refuse = [] { throw Error("the cache holds contacts that cannot be; start again without --resume"); };
    if (numbers.size() % numbers_per_point != 0) refuse();
    std::vector<HeldPoint> held;
    const auto vertex_count = static_cast<double>(inverse_masses_.size());
    for (size_t i = 0; i < numbers.size(); i += numbers_per_point) {
        const double* n = numbers.data() + i;
        if (!std::all_of(n, n + numbers_per_point, [](double x) { return std::isfinite(x); })) refuse();
        if (n[0] >= vertex_count || n[0] < -faces_.count() || n[1] < 0 || n[1] >= static_cast<double>(collider_count))
            refuse();
        HeldPoint point{.part = static_cast<int>(n[0]), .collider = static_cast<int>(n[1])};
        if (point.part >= 0)
            point.vertices = {point.part, point.part, point.part};
        else
            point.vertices = faces_.vertices(-1 - point.part);
        point.weights = {n[2], n[3], n[4]};
        point.support.normal = {n[5], n[6], n[7]};
        point.pressure = n[8];
        point.friction = {n[9], n[10], n[11]};
        held.push_back(point);
    }
    held_ = std::move(held);
}

}  // namespace tulle::collision
