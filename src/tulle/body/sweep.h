// SPDX-License-Identifier: Apache-2.0
// What the mannequin is made of: rounded solids along straight axes, blended into each other.
#pragma once

#include "tulle/core/arrays.h"

#include <vector>

namespace tulle::body {

// A cross section of a sweep: an ellipse.
struct Station {
    double along = 0;                         // [m] from the start of the axis
    double wide = 0, deep = 0;                // [m] half its width and half its depth
    double wide_offset = 0, deep_offset = 0;  // [m] of its centre from the axis, along its width and its depth
};

// A solid whose cross section changes smoothly along an axis (Catmull–Rom between stations), with an ellipsoidal cap
// at either end.
class Sweep {
public:
    struct Frame {
        Vector3 origin;  // [m]
        Vector3 axis;    // unit
        Vector3 width;   // unit, at a right angle to the axis; the depth is axis × width
    };

    // `start_cap` and `end_cap` [m]: how far the caps reach beyond the first and last station. `squareness`: exponent
    // of the sections, 2 for ellipses.
    Sweep(const Frame& frame, std::vector<Station> stations, double start_cap, double end_cap, double squareness = 2);

    // About the distance [m], negative inside.
    double distance(const Vector3& point) const;
    double nearest_possible(const Vector3& point) const;  // [m] no larger than the distance, and cheap
    Sweep mirrored() const;                               // at the plane x = 0

private:
    Station section(double along) const;

    Frame frame_;
    Vector3 depth_;
    std::vector<Station> stations_;
    double start_cap_, end_cap_, squareness_;
    Vector3 center_;  // [m] of a ball around it
    double radius_;   // [m]
};

// The union of two solids, rounded where they are within `blend` [m] of each other.
double smooth_union(double a, double b, double blend);

}  // namespace tulle::body
