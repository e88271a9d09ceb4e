// SPDX-License-Identifier: Apache-2.0
// One level of the hierarchy method: a triangle abc of the coarser level, the vertices x0, x1, x2 across its edges, and
// the midpoints p (of ab), q (bc) and r (ca) that the network finds. A midpoint with two triangles gets the mean of
// what they say.
//
// Features::Paper (the paper's): nine displacements of a, b, c from rest to nine of p, q, r.
// Features::Canonical: a, b, c, x0, x1, x2, and where interpolation has p, q, r (midpoint_stencils.h), in canonical
// form (canonical_triangle.h) to how far from there they are.
#pragma once

#include "tulle/geometry/subdivision.h"
#include "tulle/methods/upscaling/features.h"
#include "tulle/methods/upscaling/hierarchy/canonical_triangle.h"

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace tulle::methods {

using TrianglePoints = std::array<Point, 6>;  // a, b, c, x0, x1, x2

class TriangleElements {
public:
    // `fine_rest`: rest positions of the finer level.
    TriangleElements(const geometry::Subdivision& subdivision, const Positions& fine_rest, Features features);

    long count() const { return triangles_.rows(); }
    int input_size() const { return is_canonical(features_) ? triangle_inputs : 9; }
    int output_size() const { return is_canonical(features_) ? triangle_outputs : 9; }
    int point_count() const { return is_canonical(features_) ? 9 : 3; }  // that a triangle sees
    Features features() const { return features_; }
    const Triangles& triangles() const { return triangles_; }  // |T|×3, each beginning opposite its longest edge …
    const Rows<int, 3>& edges() const { return edges_; }       // |T|×3, … its edges ab, bc, ca
    const Rows<int, 3>& midpoints() const { return midpoints_; }  // |T|×3, and their midpoints in the finer level
    const Rows<int, 3>& across() const { return across_; }        // |T|×3, vertices across its edges; -1: none
    float unit(long triangle) const { return units_[static_cast<size_t>(triangle)]; }  // [m]
    Point rest_corner(long triangle, int i) const { return rest_corners_.row(3 * triangle + i); }
    Point rest_midpoint(long triangle, int i) const { return rest_midpoints_.row(3 * triangle + i); }
    const RestTriangle& rest_triangle(long triangle) const { return rest_triangles_[static_cast<size_t>(triangle)]; }

    // Points of the coarser level are given by `point(vertex)`.
    template <typename PointOf, typename Value = std::invoke_result_t<PointOf, int>>
    std::array<Value, 6> gather(long triangle, const PointOf& point) const {
        std::array<Value, 6> p;
        for (int i = 0; i < 3; ++i) p[static_cast<size_t>(i)] = point(triangles_(triangle, i));
        if (!is_canonical(features_)) return p;
        for (int i = 0; i < 3; ++i) {
            const int across = across_(triangle, i);  // beyond the border the triangle goes on, turned about its edge
            const auto corner = [&](int k) { return p[static_cast<size_t>((i + k) % 3)]; };
            p[static_cast<size_t>(3 + i)] = across >= 0 ? point(across) : Value(corner(0) + corner(1) - corner(2));
        }
        return p;
    }

    CanonicalFrame canonical_frame(long triangle, const TrianglePoints& p) const {
        return canonical_triangle_frame({p[0], p[1], p[2]}, units_[static_cast<size_t>(triangle)]);
    }
    // Writes the input and returns the size. `base`: where interpolation has p, q and r.
    float write_canonical(long triangle, const TrianglePoints& p, const std::array<Point, 3>& base,
                          const CanonicalFrame& frame, const Stiffness& stiffness, std::span<float> input) const;
    void write_paper_input(long triangle, const TrianglePoints& p, std::span<float> input) const;

    // The vertices across, by the corner opposite: that of edge ab is c's.
    template <typename Value>
    static std::array<Value, 3> by_corner(const std::array<Value, 6>& p) {
        return {p[4], p[5], p[3]};
    }
    // The corner opposite a midpoint (0: p, 1: q, 2: r).
    static constexpr int opposite_corner(int midpoint) { return (midpoint + 2) % 3; }

private:
    void measure_rest_triangles(const geometry::Subdivision& subdivision, const Positions& fine_rest);

    Features features_;
    Triangles triangles_;
    Rows<int, 3> across_, edges_, midpoints_;
    std::vector<float> units_;                      // |T| [m] root of twice the rest area
    Rows<float, 3> rest_corners_, rest_midpoints_;  // 3|T|×3 [m], for the paper's displacements
    std::vector<RestTriangle> rest_triangles_;      // |T|, for canonical features
};

}  // namespace tulle::methods
