// SPDX-License-Identifier: Apache-2.0
// Cutting planes (Kelley 1960). The distance to a convex solid is a convex function, so its tangent planes lie below
// it. The lowest point of the highest of some tangents over the triangle is where to look next: its height bounds the
// distance from below, and the distance found there bounds the least from above.
#include "tulle/collision/deepest_point.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tulle::collision {

namespace {

constexpr int most_cuts = 16;
constexpr size_t most_planes = 6;

using Weights = std::array<double, 3>;
using Plane = std::array<double, 3>;  // heights at the three corners [m]

double height(const Plane& plane, const Weights& w) { return w[0] * plane[0] + w[1] * plane[1] + w[2] * plane[2]; }

struct Lowest {
    Weights weights{};
    double height = std::numeric_limits<double>::infinity();
};

// Min over the triangle of the highest of a few planes: at a corner, on a side where two planes meet, or inside where
// three do.
class LowestOfHighest {
public:
    explicit LowestOfHighest(const std::vector<Plane>& planes) : planes_(planes) {
        for (size_t i = 0; i < 3; ++i) try_corner(i);
        for (size_t k = 0; k < planes.size(); ++k)
            for (size_t l = 0; l < k; ++l) {
                for (size_t i = 0; i < 3; ++i) try_side(i, planes[k], planes[l]);
                for (size_t m = 0; m < l; ++m) try_inside(planes[k], planes[l], planes[m]);
            }
    }
    const Lowest& found() const { return lowest_; }

private:
    void try_at(const Weights& weights) {
        double highest = -std::numeric_limits<double>::infinity();
        for (const Plane& plane : planes_) highest = std::max(highest, height(plane, weights));
        if (highest < lowest_.height) lowest_ = {weights, highest};
    }
    void try_corner(size_t i) {
        Weights weights{};
        weights[i] = 1;
        try_at(weights);
    }
    void try_side(size_t i, const Plane& a, const Plane& b) {
        const size_t j = (i + 1) % 3;
        const double at_i = a[i] - b[i], at_j = a[j] - b[j];
        if (!(at_i * at_j < 0)) return;
        Weights weights{};
        weights[i] = at_j / (at_j - at_i);
        weights[j] = 1 - weights[i];
        try_at(weights);
    }
    void try_inside(const Plane& a, const Plane& b, const Plane& c) {
        // w·(a − b) = 0, w·(a − c) = 0: w is across both.
        const Vector3 ab(a[0] - b[0], a[1] - b[1], a[2] - b[2]), ac(a[0] - c[0], a[1] - c[1], a[2] - c[2]);
        Vector3 w = ab.cross(ac);
        const double sum = w.sum();
        if (sum == 0) return;
        w /= sum;
        if (w.minCoeff() >= 0) try_at({w(0), w(1), w(2)});
    }

    const std::vector<Plane>& planes_;
    Lowest lowest_;
};

Vector3 at(const Corners& corners, const Weights& w) {
    return w[0] * corners[0] + w[1] * corners[1] + w[2] * corners[2];
}

Plane tangent(const SurfacePoint& surface, const Vector3& point, const Corners& corners) {
    Plane plane;
    for (size_t i = 0; i < 3; ++i) plane[i] = surface.distance + surface.normal.dot(corners[i] - point);
    return plane;
}

class Search {
public:
    Search(const Shape& shape, const Corners& corners) : shape_(shape), corners_(corners) {}

    // Looks at a place of the triangle; returns its tangent.
    Plane look(const Weights& weights) {
        const Vector3 place = at(corners_, weights);
        const SurfacePoint surface = shape_.surface(place);
        if (surface.distance < best_.surface.distance) best_ = {weights, place, surface};
        return tangent(surface, place, corners_);
    }
    const DeepestPoint& best() const { return best_; }

private:
    const Shape& shape_;
    const Corners& corners_;
    DeepestPoint best_{.surface = {.distance = std::numeric_limits<double>::infinity()}};
};

}  // namespace

bool plane_separates(const SurfacePoint& surface, const Vector3& point, const Corners& corners, double wanted) {
    const Plane plane = tangent(surface, point, corners);
    return *std::min_element(plane.begin(), plane.end()) >= wanted;
}

std::optional<DeepestPoint> deepest_point(const Shape& shape, const Corners& corners, double wanted, double precision) {
    constexpr Weights middle = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    const Vector3 center = at(corners, middle);
    double radius_squared = 0;
    for (const Vector3& corner : corners) radius_squared = std::max(radius_squared, (corner - center).squaredNorm());
    const double center_distance = shape.distance(center);
    if (center_distance >= wanted && (center_distance - wanted) * (center_distance - wanted) >= radius_squared)
        return std::nullopt;
    Search search(shape, corners);
    std::vector<Plane> planes{search.look(middle)};
    const Plane& first = planes.front();
    if (shape.is_convex() && *std::min_element(first.begin(), first.end()) >= wanted) return std::nullopt;
    if (!shape.is_convex())  // tangents prove nothing: look around first
        for (size_t i = 0; i < 3; ++i) {
            Weights corner{}, side{};
            corner[i] = 1;
            side[i] = side[(i + 1) % 3] = 0.5;
            planes.push_back(search.look(corner));
            search.look(side);
        }
    for (int cut = 0; cut < most_cuts; ++cut) {
        const Lowest lowest = LowestOfHighest(planes).found();
        if (lowest.height >= wanted || lowest.height >= search.best().surface.distance - precision) break;
        if (planes.size() == most_planes)  // the one that matters least there makes room
            planes.erase(std::min_element(planes.begin(), planes.end(), [&](const Plane& a, const Plane& b) {
                return height(a, lowest.weights) < height(b, lowest.weights);
            }));
        planes.push_back(search.look(lowest.weights));
    }
    if (search.best().surface.distance >= wanted) return std::nullopt;
    return search.best();
}

}  // namespace tulle::collision
