// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/collision/face_detection.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace tulle::collision {

// A vertex, or a place on a face, that rests on a collider, and what the collider holds it with.
struct HeldPoint {
    int part = 0;  // a vertex, or −1 − a face
    int collider = 0;
    std::array<int, 3> vertices{};
    std::array<double, 3> weights{};
    Support support;
    std::optional<Vector3> seen_from;    // where it was when the support was looked for in this step
    double pressure = 0;                 // [N] along the normal
    Vector3 friction = Vector3::Zero();  // [N] across it
};

// How far a force moves a vertex along a direction of unit length in a step [m/N], while others are pressed along the
// rows of `pressed`, |V|×3, zero for those that are not.
using Give = std::function<double(int vertex, const Vector3& direction, const Positions& pressed)>;

// The forces with which colliders hold a cloth, for solvers that let them act while they look for the end of a step. At
// rest they are what they were in the last step, and nothing moves.
class ColliderForces {
public:
    ColliderForces(const Positions& rest_positions, const Triangles& triangles, const VectorX& inverse_masses);

    // Adds the vertices and faces that are too near to a collider at `end` to those that are held.
    void find(const ColliderResponse& colliders, const Positions& start, const Positions& end);
    // Looks at where the held points end while the forces act, and corrects the forces (Uzawa's method): a point that
    // is too deep by d gets the force that moves it by d in a step. Returns where the new pressures would have moved
    // the vertices, |V|×3.
    Positions correct(const ColliderResponse& colliders, const Positions& start, const Positions& end,
                      const Give& give);
    // Before a step: forgets the points that nothing presses. Within a step they stay: they may be needed again.
    void let_go();
    Forces forces() const;  // |V|×3 [N]

    void clear() { held_.clear(); }
    std::vector<double> to_numbers() const;
    // Throws an Error if there is no such vertex, face or collider, or a number is not finite.
    void from_numbers(std::span<const double> numbers, size_t collider_count);

private:
    void look_again(const ColliderResponse& colliders, const Positions& end, HeldPoint& point) const;
    static void press(const Positions& start, const Positions& end, double stiffness, HeldPoint& point);
    static void rub(const Positions& start, const Positions& end, double stiffness, double coefficient,
                    HeldPoint& point);

    FaceDetection faces_;
    VectorX inverse_masses_;       // |V| [1/kg]
    std::vector<HeldPoint> held_;  // by part and collider
};

}  // namespace tulle::collision
