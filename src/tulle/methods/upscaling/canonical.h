// SPDX-License-Identifier: Apache-2.0
// A piece of cloth in canonical form. Near a place every deformation is nearly affine: rest coordinates (u, v), in
// units of the rest spacing, go to origin + unit·A (u, v). The polar decomposition A = Q S of that 3×2 matrix gives the
// frame in which a network sees the piece (the columns of Q, and the normal) and its stretch S, which is symmetric.
// What is left after the affine part is the piece's own shape. The network sees that shape at size one, its size, and
// the stretch; its answer is scaled by that size. So an affine piece gets no correction at any stretch, and nothing
// changes with place, direction, side or scale.
#pragma once

#include "tulle/methods/upscaling/local_frame.h"

#include <Eigen/Core>

#include <algorithm>
#include <cmath>

namespace tulle::methods {

inline constexpr float least_size = 1e-4f;  // in spacings; what is flatter is rounding
inline constexpr float most_stretch_input = 2;
inline constexpr float most_earlier_shape = 4;  // in sizes of the shape now

struct CanonicalFrame {
    LocalFrame local;                                    // axes: along Q's columns, and the normal
    Eigen::Vector3f stretch = Eigen::Vector3f(1, 0, 1);  // S_uu, S_uv, S_vv

    bool is_sound() const { return local.sound; }
    // In spacings, from where the affine part has the rest coordinates.
    Eigen::Vector3f shape(const Point& point, float u, float v) const {
        const Eigen::Vector3f affine(stretch(0) * u + stretch(1) * v, stretch(1) * u + stretch(2) * v, 0);
        return local.direction_to_local(point - local.origin) - affine;
    }
};

// `along` and `across`: how far the affine part goes in one spacing [m].
inline CanonicalFrame make_canonical_frame(const Point& origin, const Point& along, const Point& across, float unit) {
    CanonicalFrame frame{.local = {.origin = origin, .unit = unit}};
    const Eigen::Vector3f a = along / unit, b = across / unit, normal = a.cross(b);
    const float area = normal.norm();
    frame.local.sound = area > least_area;
    if (!frame.local.sound) return frame;
    // S = √(AᵀA) in closed form: (AᵀA + √det 1) / √(tr + 2√det), with √det = area.
    const float aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), root = 1 / std::sqrt(aa + bb + 2 * area);
    frame.stretch = Eigen::Vector3f(aa + area, ab, bb + area) * root;
    const Eigen::Vector3f& s = frame.stretch;
    frame.local.axes.col(0) = (a * s(2) - b * s(1)) / area;  // det S = area
    frame.local.axes.col(1) = (b * s(0) - a * s(1)) / area;
    frame.local.axes.col(2) = normal / area;
    return frame;
}

// In spacings: what an answer of one is worth.
inline float answer_scale(float size) { return std::max(0.0f, size - least_size); }

// How much a sample counts in training, by the error of interpolation [spacings]. The loss is relative to that error,
// which alone would count a hair's breadth as much as a fold.
inline float sample_weight(float interpolation_error) {
    constexpr float usual_error = 0.05f, least_weight = 0.25f;
    return least_weight + interpolation_error / usual_error;
}

// What a network sees besides the shape, in numbers of about one.
inline float size_input(float size) { return 0.5f * std::log(std::max(size, least_size)) + 1; }
inline Eigen::Vector3f stretch_input(const Eigen::Vector3f& stretch) {
    return (stretch - Eigen::Vector3f(1, 0, 1)).cwiseMax(-most_stretch_input).cwiseMin(most_stretch_input);
}

}  // namespace tulle::methods
