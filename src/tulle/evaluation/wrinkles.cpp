// SPDX-License-Identifier: Apache-2.0
#include "tulle/evaluation/wrinkles.h"

#include <cmath>
#include <numbers>

namespace tulle::evaluation {

namespace {

// What keeps of a line of vertices the straight line from its first to its last, and of the rest the sine waves that
// are longer than two of its `kept` coarse cells: those that vertices so far apart can tell from each other. A line
// that goes on straight beyond its ends has no kink there, which would be in all waves.
Eigen::MatrixXd keep_long_waves(int vertices, int kept) {
    const int cells = vertices - 1;
    Eigen::MatrixXd straight = Eigen::MatrixXd::Zero(vertices, vertices);
    for (int i = 0; i < vertices; ++i) {
        straight(i, cells) = static_cast<double>(i) / cells;
        straight(i, 0) = 1 - straight(i, cells);
    }
    Eigen::MatrixXd waves(vertices, kept - 1);
    for (int i = 0; i < vertices; ++i)
        for (int k = 1; k < kept; ++k)
            waves(i, k - 1) = std::sqrt(2.0 / cells) * std::sin(std::numbers::pi * k * i / cells);
    return straight + waves * (waves.transpose() * (Eigen::MatrixXd::Identity(vertices, vertices) - straight));
}

using Strided = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                           Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
using ConstStrided = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                                Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;

}  // namespace

Smoothing without_short_waves(const geometry::Miniature& miniature) {
    const geometry::GridSize fine = miniature.fine;
    return [fine, down = keep_long_waves(fine.rows, miniature.coarse.rows - 1),
            across = keep_long_waves(fine.columns, miniature.coarse.columns - 1)](const Positions& positions) {
        Positions smooth(positions.rows(), 3);
        for (int axis = 0; axis < 3; ++axis) {
            const Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic> stride(3L * fine.columns, 3);
            const ConstStrided from(positions.data() + axis, fine.rows, fine.columns, stride);
            Strided(smooth.data() + axis, fine.rows, fine.columns, stride) = down * from * across.transpose();
        }
        return smooth;
    };
}

Smoothing without_fine_levels(geometry::Hierarchy hierarchy) {
    return [hierarchy = std::move(hierarchy)](const Positions& positions) {
        Positions smooth = geometry::sample(hierarchy.fine_vertices.front(), positions);
        for (const geometry::Subdivision& level : hierarchy.subdivisions) {
            Positions finer(level.coarse_count() + level.edges.rows(), 3);
            for (long v = 0; v < level.coarse_count(); ++v)
                finer.row(level.fine_vertices[static_cast<size_t>(v)]) = smooth.row(v);
            for (long e = 0; e < level.edges.rows(); ++e)
                finer.row(level.fine_midpoints[static_cast<size_t>(e)]) =
                    0.5 * (smooth.row(level.edges(e, 0)) + smooth.row(level.edges(e, 1)));
            smooth = std::move(finer);
        }
        return smooth;
    };
}

WrinkleMeter::WrinkleMeter(const geometry::TriangleMesh& rest, Smoothing smoothing)
    : triangles_(rest.triangles),
      shares_(geometry::vertex_areas(rest.positions, rest.triangles)),
      smoothing_(std::move(smoothing)) {
    shares_ /= shares_.sum();
}

double WrinkleMeter::energy(const Positions& positions) const {
    const Positions smooth = smoothing_(positions);
    const Positions normals = geometry::vertex_normals(smooth, triangles_);
    return (positions - smooth).cwiseProduct(normals).rowwise().sum().array().square().matrix().dot(shares_);
}

}  // namespace tulle::evaluation
