// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tulle/geometry/hierarchy.h"
#include "tulle/geometry/miniature.h"

#include <array>
#include <vector>

namespace tulle::geometry {

// Every fine vertex on the coarse triangle in which it lies. No fine triangle reaches into a second coarse one, so the
// fine cloth is the surface of the coarse one: it crosses itself where that does and nowhere else.
class FlatUpsampling {
public:
    explicit FlatUpsampling(const Miniature& miniature);
    explicit FlatUpsampling(const Hierarchy& hierarchy);

    void apply(const Positions& coarse, Positions& fine) const;
    // The fine vertices at the corners of the coarse triangle in which each of these fine triangles lies.
    std::vector<std::array<int, 3>> corners_around(const Triangles& fine) const;

private:
    // A mean of the corners of a coarse triangle.
    struct Place {
        std::array<int, 3> corners{};
        std::array<double, 3> weights{};  // they add up to 1
    };
    static Place midpoint(const Place& a, const Place& b);

    std::vector<Place> places_;  // of the fine vertices
};

}  // namespace tulle::geometry
