// SPDX-License-Identifier: Apache-2.0
#include "tulle/methods/garment/pattern_mirror.h"

#include "tulle/core/error.h"
#include "tulle/core/parallel.h"
#include "tulle/geometry/triangle_mesh.h"
#include "tulle/methods/garment/pattern_image.h"

namespace tulle::methods {

namespace {

constexpr double farthest = 1.0 / 3;  // in mean lengths of an edge

double mean_edge_length(const Rows<double, 2>& pattern, const Triangles& triangles) {
    double sum = 0;
    for (const auto& t : triangles.rowwise())
        for (int k = 0; k < 3; ++k) sum += (pattern.row(t(k)) - pattern.row(t((k + 1) % 3))).norm();
    return sum / static_cast<double>(triangles.size());
}

}  // namespace

PatternMirror::PatternMirror(const Rows<double, 2>& pattern, const Triangles& triangles)
    : across_(static_cast<size_t>(pattern.rows())) {
    const std::vector<PatternSide> sides = pattern_sides(pattern, triangles);
    const double twice_middle = pattern.col(0).minCoeff() + pattern.col(0).maxCoeff();
    const double within = farthest * mean_edge_length(pattern, triangles);
    parallel_for(pattern.rows(), [&](long v) {
        const Eigen::RowVector2d place(twice_middle - pattern(v, 0), pattern(v, 1));
        double nearest = within;
        across_[static_cast<size_t>(v)] = -1;
        for (long w = 0; w < pattern.rows(); ++w) {
            if (sides[static_cast<size_t>(w)] != sides[static_cast<size_t>(v)]) continue;
            const double distance = (pattern.row(w) - place).norm();
            if (distance >= nearest) continue;
            nearest = distance;
            across_[static_cast<size_t>(v)] = static_cast<int>(w);
        }
    });
    for (size_t v = 0; v < across_.size(); ++v)
        if (across_[v] < 0 || across_[static_cast<size_t>(across_[v])] != static_cast<int>(v))
            throw Error("the pattern of the garment is not its own mirror image at its vertex {}; leave out `mirror`",
                        v);
}

Positions PatternMirror::mirrored(const Positions& garment) const {
    Positions result(garment.rows(), 3);
    for (long v = 0; v < garment.rows(); ++v)
        result.row(v) = garment.row(across_[static_cast<size_t>(v)]).cwiseProduct(Eigen::RowVector3d(-1, 1, 1));
    return result;
}

}  // namespace tulle::methods
